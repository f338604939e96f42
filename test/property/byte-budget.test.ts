import { STRATEGIES } from '@preflight/core';
import { FORMATS } from '@preflight/formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import type { Plain } from '../legality/checkers/index.js';
import { conversations } from '../legality/conversations/index.js';
import { Service } from '../legality/run/service.js';

const service = new Service();
const bytesOf = (request: Plain) => Buffer.byteLength(JSON.stringify(request));

/** Strategies with options that change what a cut for bytes keeps. */
const strategies = fc.oneof(
  fc.shuffledSubarray(Object.keys(STRATEGIES), { minLength: 1 }).map((strategy): Plain => ({ strategy })),
  fc.constantFrom<Plain>(
    { strategy: 'truncate', truncate: { max_min: true } },
    { strategy: 'truncate', truncate: { cut: { user: 'tail', assistant: 'middle', tool: 'middle' } } },
    { strategy: 'trim', trim: { shorten: true, repair: true } },
    { strategy: ['drop_turns', 'truncate'], summary: 'They met in Oslo.' },
  ),
);

test.each(Object.keys(FORMATS))(
  'the result has the bytes that the answer says, and no more than it may, in %s',
  async (format) => {
    let changed = 0;
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(
        conversations(format),
        strategies,
        fc.integer({ min: 20, max: 100 }),
        fc.integer({ min: 40, max: 110 }),
        async ({ request, model }, options, bytePercent, tokenPercent) => {
          const counted = { format, model, encoding: 'o200k_base' };
          const tokens = await service.count({ ...counted, request });
          fc.pre(tokens !== undefined && !(format === 'langroid' && options.summary !== undefined));
          const body = {
            ...counted,
            ...options,
            request,
            budget_tokens: Math.round((tokens * tokenPercent) / 100) + 30,
            max_request_bytes: Math.round((bytesOf(request) * bytePercent) / 100),
            return: 'conversation',
          };
          const answered = await service.preflight(body);
          if ('code' in answered) {
            if (answered.problem?.hints?.some(({ code }) => code === 'elide_attachments')) {
              const strategy = [options.strategy, 'elide_attachments'].flat();
              expect(await service.preflight({ ...body, strategy })).toHaveProperty('fitted');
            }
            const hint = answered.problem?.hints?.find(({ code }) => code === 'raise_max_request_bytes');
            if (hint === undefined || hint.detail.includes('are missing')) return;
            followed += 1;
            const max_request_bytes = Number(/\d+/.exec(hint.detail)?.[0]);
            expect(await service.preflight({ ...body, max_request_bytes })).toHaveProperty('fitted');
            return;
          }
          const { bytes, conversation, edits, tokens: figures } = answered.fitted;
          expect(bytes?.after).toBe(bytesOf(conversation));
          expect(bytes?.after).toBeLessThanOrEqual(body.max_request_bytes);
          expect(await service.count({ ...counted, request: conversation })).toBe(figures.after);
          if (options.summary === undefined) {
            expect(bytes?.before).toBe(bytesOf(request));
            expect(figures.after).toBeLessThanOrEqual(body.budget_tokens);
          }
          if (edits.length === 0) return;
          changed += 1;
          // What is counted on the way is what is written, but for what stands around texts behind a cut that keeps others whole.
          const exact = { ...body, max_request_bytes: Math.ceil((bytes?.after ?? 0) * 1.05) };
          expect(await service.preflight(exact)).toHaveProperty('fitted');
        },
      ),
      runs(40),
    );
    expect(changed).toBeGreaterThan(3);
    expect(followed).toBeGreaterThan(0);
  },
);
