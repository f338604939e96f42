import { startApi } from '../harness/in-process.js';
import { langchainVectorTests } from '../harness/langchain-vectors.js';

const { url } = await startApi();

langchainVectorTests(() => url);
