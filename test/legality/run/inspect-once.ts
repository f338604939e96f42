import { TextRange } from '@preflight/core';
import type { FileFacts, InspectedFile, Pool } from '@preflight/pool';

type Known = Map<string, Promise<FileFacts>>;

/**
 * A pool's `inspectAll` that looks at a file once: a request is read once however often it is to fit, so that its files
 * are the same string, or the same bytes at the same place.
 */
export function inspectOnce(pool: Pool): Pool['inspectAll'] {
  const inspectAll = pool.inspectAll.bind(pool);
  const inspect = async (file: InspectedFile) => (await inspectAll([file]))[0] as FileFacts;
  const ofBuffers = new WeakMap<object, Known>();
  const ofStrings: Known = new Map();
  const inBuffer = (buffer: object): Known => {
    const known = ofBuffers.get(buffer) ?? new Map();
    ofBuffers.set(buffer, known);
    return known;
  };
  const factsOf = (file: InspectedFile): Promise<FileFacts> => {
    const { data, form, kind } = file;
    const isRange = data instanceof TextRange;
    const known = isRange ? inBuffer(data.buffer) : ofStrings;
    const key = [form, kind, isRange ? `${data.start} ${data.end}` : data].join(' ');
    const facts = known.get(key) ?? inspect(file);
    known.set(key, facts);
    return facts;
  };
  return (files) => Promise.all(files.map(factsOf));
}
