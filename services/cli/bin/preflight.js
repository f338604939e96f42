#!/usr/bin/env node
// Stands in the repository, because npm links a command only if its file is there before the build.
import '../dist/main.js';
