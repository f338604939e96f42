import { MemoryWriteOnceStore } from './memory-write-once-store.js';
import { describeWriteOnceStore } from './write-once-store.contract.js';

describeWriteOnceStore('MemoryWriteOnceStore', async () => new MemoryWriteOnceStore());
