import { type FileFault, isObject, type Json, type JsonObject, jsonBytes, type Steps } from '@preflight/core';
import type { Format, ParseResult } from '../format.js';
import { STEP_ITEMS } from '../step-items.js';
import { base64Bytes, type Entry, type Part } from './entry.js';
import type { Finding, Found, Legality, RuleCode } from './legality.js';
import { findIllFormed } from './rules/strings.js';

/** Whom a request goes to, and how it is read. */
export interface Addressed {
  readonly format: Format;
  readonly legality: Legality;
  readonly model: string | undefined;
  /** The conversation alone was given, without the fields that say how it is to be answered. */
  readonly isConversationAlone: boolean;
}

/** All that the provider would refuse in a request. Linear, in steps. */
export function* findViolations(request: JsonObject, addressed: Addressed): Steps<Finding[]> {
  const { format, legality, model, isConversationAlone } = addressed;
  const { list, read, scans } = legality;
  const messages = messagesOf(request, list);
  const bytes = yield* sentBytes(request, addressed);
  const scanned = { request, messages, model: model ?? '', bytes, isConversationAlone };
  const running = scans.map((scan) => scan(scanned));
  const parsed = yield* format.parse(request, model);
  const found = [...malformedIn(parsed, legality), ...(yield* findIllFormed(request, list))];
  const faults = yield* faultyFilesIn(parsed, list);
  const add = function* (findings: Found): Steps<void> {
    for (const finding of Array.isArray(findings) ? findings : yield* findings as Steps<readonly Finding[]>)
      found.push(finding);
  };
  for (const [index, message] of messages.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (!isObject(message)) continue;
    const entry = yield* read(message);
    const faulty = faults.get(index);
    if (faulty !== undefined) {
      const all = yield* findingsOf(faulty, index, entry);
      // Most providers go by the bytes, and not by the stated type.
      yield* add(all.filter(({ code }) => legality.rules[code] !== undefined));
    }
    for (const scan of running) {
      // A message may have as many parts as a conversation has messages.
      if (entry.parts.length > STEP_ITEMS) yield;
      if (!scan.isOfParts || entry.parts.length <= STEP_PARTS) yield* add(scan.see(entry, index));
      else
        for (let start = 0; start < entry.parts.length; start += STEP_PARTS) {
          yield;
          yield* add(
            scan.see({ role: entry.role, parts: entry.parts.slice(start, start + STEP_PARTS) }, index),
          );
        }
    }
  }
  for (const scan of running) {
    yield;
    yield* add(scan.end?.() ?? []);
  }
  return found;
}

/** Parts of a message that a scan looks at in one step. */
const STEP_PARTS = 1024;

/** Bytes of a request as its provider gets it: a conversation that was given alone goes out with its model. */
export function* sentBytes(
  request: JsonObject,
  { format, model, isConversationAlone }: Addressed,
): Steps<number> {
  const isWithout = isConversationAlone && model !== undefined;
  return yield* wireBytes(isWithout ? { model, ...request } : request, format);
}

/** Bytes of a request as it goes out: with the files that it names by digest. */
export function* wireBytes(request: JsonObject, format: Format): Steps<number> {
  let hasReferences = false;
  let bytes = yield* jsonBytes(request, (object) => {
    hasReferences ||= object.digest !== undefined;
  });
  if (!hasReferences) return bytes;
  const references: JsonObject[] = [];
  format.replaceFiles(request, (value, { form }) => {
    if (!isObject(value)) return value;
    references.push(value);
    bytes +=
      base64Bytes(value) + (form === 'data_uri' ? `data:${value.mime_type};base64,`.length : 0) + QUOTES;
    return value;
  });
  for (const reference of references) bytes -= yield* jsonBytes(reference);
  return bytes;
}

const QUOTES = 2;

/** What cannot even be read, at the places that reading a request to count it would name. */
function malformedIn(parsed: ParseResult, { list }: Legality): Finding[] {
  if (!('issues' in parsed)) return [];
  return parsed.issues.map(({ pointer, detail }): Finding => {
    const [field, position, ...path] = pointer.split('/').slice(1);
    if (field !== list || position === undefined)
      return { code: 'malformed', path: pointer.split('/').slice(1), detail };
    return { code: 'malformed', index: Number(position), path, remedy: { op: 'drop' }, detail };
  });
}

const CODES: Readonly<Record<FileFault['reason'], RuleCode>> = {
  empty: 'empty_attachment',
  not_base64: 'invalid_base64',
  other_kind: 'other_media_kind',
  other_image: 'other_image_type',
};

/** Files that the provider cannot read, by message. */
function* faultyFilesIn(parsed: ParseResult, list: string): Steps<ReadonlyMap<number, FileFault[]>> {
  const faults = new Map<number, FileFault[]>();
  if ('issues' in parsed) return faults;
  for (const [position, { attachments }] of parsed.conversation.messages.entries()) {
    if (position % STEP_ITEMS === STEP_ITEMS - 1) yield;
    for (const [at, { media }] of attachments.entries()) {
      if (at % STEP_PARTS === STEP_PARTS - 1) yield;
      const { fault } = media ?? {};
      if (fault === undefined) continue;
      const index = Number(fault.pointer.slice(list.length + 2).split('/', 1)[0]);
      const known = faults.get(index);
      if (known === undefined) faults.set(index, [fault]);
      else known.push(fault);
    }
  }
  return faults;
}

/** The part with the file goes; what stands in a result is the tool's to say. */
function* findingsOf(faults: readonly FileFault[], index: number, { parts }: Entry): Steps<Finding[]> {
  const byPath = new Map<string, Part>();
  for (const [position, part] of parts.entries()) {
    if (position % STEP_PARTS === STEP_PARTS - 1) yield;
    byPath.set(part.path.join('/'), part);
  }
  const found: Finding[] = [];
  for (const [position, { reason, pointer }] of faults.entries()) {
    if (position % STEP_PARTS === STEP_PARTS - 1) yield;
    const path = pointer.split('/').slice(3);
    const part = byPath.get(path.join('/'));
    found.push({ code: CODES[reason], index, path, ...(part && { remedy: { op: 'leave_out', part } }) });
  }
  return found;
}

/** The provider's list of messages; none where there is no list. */
export function messagesOf(request: JsonObject, list: string): readonly Json[] {
  const given = request[list];
  return Array.isArray(given) ? given : [];
}
