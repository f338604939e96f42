import { MemoryResultStore } from './memory-result-store.js';
import { describeResultStore } from './result-store.contract.js';

describeResultStore('MemoryResultStore', async () => new MemoryResultStore());
