import { describe } from 'vitest';
import { startApi } from '../harness/in-process.js';
import { AS_STORED, langchainVectorTests } from '../harness/langchain-vectors.js';

const { url } = await startApi();

langchainVectorTests(() => url);

describe('as LangChain stores messages', () => langchainVectorTests(() => url, AS_STORED));
