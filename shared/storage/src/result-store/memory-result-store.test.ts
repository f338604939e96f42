import { describeResultStore } from './result-store.contract.js';
import { MemoryResultStore } from './memory-result-store.js';

describeResultStore('MemoryResultStore', async () => new MemoryResultStore());
