import { type CatalogEntry, ERROR_CATALOG } from '@preflight/core';
import { expect, it } from 'vitest';

const RETRY: Readonly<Record<CatalogEntry['retry'], string>> = {
  never: 'no, the same request fails again',
  backoff: 'later, with growing pauses',
  after: 'after `Retry-After`',
};

it('docs/errors.md is what the catalog says (update with npm run docs)', async () => {
  const page = [
    '# Errors',
    '',
    'Written from `shared/core/src/errors/catalog.ts` by `npm run docs`; a test compares the two.',
    '',
    'Every error is a problem document (RFC 9457, `application/problem+json`) with a `code` from this table. Codes never',
    'change their meaning. `errors` holds places in the request as JSON pointers, `figures` the numbers. No value of a request',
    'ever stands in a problem. Names do: a pointer, and the detail beside it, may hold names of members of the request, unknown',
    'ones too.',
    '',
    '| code | status | title | try again? | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(ERROR_CATALOG).map(
      ([code, { httpStatus, title, retry, description }]) =>
        `| \`${code}\` | ${httpStatus} | ${title} | ${RETRY[retry]} | ${description} |`,
    ),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/errors.md');
});
