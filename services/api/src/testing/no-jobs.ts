import type { Jobs } from '@preflight/contracts';

const notCalled = () => {
  throw new Error('not called');
};

/** Of an API whose callers all wait. */
export const noJobs: Jobs = {
  submit: notCalled,
  find: notCalled,
  waitUntilFinal: notCalled,
  watch: notCalled,
  cancel: notCalled,
  readBody: notCalled,
};
