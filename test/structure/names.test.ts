import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRequest } from '@preflight/contracts';
import { STRATEGIES } from '@preflight/core';
import { FLAT_FIELDS, FORMATS } from '@preflight/formats';
import { MODEL_CATALOG } from '@preflight/models';
import { ENCODING_NAMES } from '@preflight/tokenizer';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from './imports.js';

const root = join(import.meta.dirname, '../..');
const sources = ['shared', 'workers', 'services']
  .flatMap((area) => readdirSync(join(root, area)).map((name) => `${area}/${name}`))
  .filter((room) => existsSync(join(root, room, 'src')))
  .flatMap((room) => sourcesOf(root, room))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Files outside of `home` that spell out one of the names as a string. */
function spelledOutside(home: readonly string[], names: readonly string[]): string[] {
  return sources
    .filter(({ file }) => !home.some((place) => file.startsWith(place)))
    .filter(({ text }) => names.some((name) => new RegExp(`(['"])${name}\\1`).test(text)))
    .map(({ file }) => file);
}

describe('names are spelled out where they are made, so that adding one touches one place', () => {
  it('of sources that there are', () => {
    expect(sources.length).toBeGreaterThan(0);
  });

  it('strategies, with their outcomes, codes and reasons', () => {
    const names = Object.values(STRATEGIES).flatMap(({ name, outcome, refusals }) => [
      name,
      outcome,
      ...Object.values(refusals).map(({ code }) => code),
    ]);
    expect(names).toContain('truncate');
    expect(spelledOutside(['shared/core/src/fit/strategies/'], names)).toEqual([]);
  });

  it('formats, but for one that is called like a family of models', () => {
    const families = new Set(MODEL_CATALOG.list().map(({ family }) => family));
    const names = Object.keys(FORMATS).filter((name) => !families.has(name));
    // A rule of media may be limited to a format.
    const made = ['shared/formats/src/', 'shared/accounting/src/media/rules/'];
    expect(spelledOutside(made, names)).toEqual([]);
  });

  it('encodings, but for the models that use them', () => {
    expect(
      spelledOutside(['workers/tokenizer/src/encodings.ts', 'shared/models/src/'], ENCODING_NAMES),
    ).toEqual([]);
  });
});

describe('names agree across rooms', () => {
  it('models are counted with encodings that there are', () => {
    for (const { id, encoding } of MODEL_CATALOG.list()) expect(ENCODING_NAMES, id).toContain(encoding);
  });

  it('flat fields of the formats are in the schema of requests', () => {
    expect(Object.keys(countRequest.properties)).toEqual(expect.arrayContaining(FLAT_FIELDS));
  });
});
