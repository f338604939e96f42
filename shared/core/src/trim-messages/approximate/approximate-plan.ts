import type { PartJson } from '../../blob.js';
import { isText } from '../../json.js';
import type { Steps } from '../../steps.js';
import { TextRange, type TextRef } from '../../text.js';
import { listColumns } from '../list-columns.js';
import type { ListCosts } from '../list-costs.js';
import type { ListedCall, ListedMessage, ListedPart } from '../listed-message.js';
import { jsonReprLength } from './json-repr.js';
import { measureText, type TextMeasure } from './measure-text.js';

const CHARACTERS_PER_TOKEN = 4;
const MESSAGE_TOKENS = 3;
const IMAGE_TOKENS = 85;
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image', 'image_url']);

/** Of `[{'name': …, 'args': …, 'id': …, 'type': 'tool_call'}, …]`, two brackets or `, ` for each call included. */
const CALL_FRAME_CHARACTERS = "{'name': , 'args': , 'id': , 'type': 'tool_call'}, ".length;

/** Messages that are looked at in one step; their texts are short, or left to others. */
const STEP_MESSAGES = 64;

/** A long text that is to be measured elsewhere. */
export interface MeasuredText {
  readonly text: TextRange;
  readonly as: TextMeasure;
}

/** A list of which all but the long texts was measured. */
export interface ApproximatePlan {
  readonly texts: readonly MeasuredText[];
  /** Given the lengths of the texts, in their order. */
  finish(lengths: Int32Array): ApproximateCosts;
}

export interface ApproximateCosts {
  readonly costs: ListCosts;
  /** Of all tokens of a message, those of its images, and those of what stands beside its content. */
  readonly attachmentTokens: Int32Array;
  readonly otherTokens: Int32Array;
}

/**
 * The approximate counter of langchain-core (langchain-trim.md, section 7): a quarter of the characters, which are
 * measured as Python does, 3 tokens a message and 85 an image.
 */
export function* planApproximate(messages: readonly ListedMessage[]): Steps<ApproximatePlan> {
  const columns = yield* listColumns(messages);
  const partTokens = new Int32Array(columns.partHasText.length);
  const partUnits = new Int32Array(columns.partHasText.length);
  const unitsBesideArray = new Int32Array(messages.length);
  /** What assistant messages with array content do not count. */
  const callUnits = new Int32Array(messages.length);
  const texts: MeasuredText[] = [];
  const places: { readonly column: Int32Array; readonly at: number }[] = [];

  const add = (column: Int32Array, at: number, text: TextRef, as: TextMeasure) => {
    if (text instanceof TextRange) {
      texts.push({ text, as });
      places.push({ column, at });
    } else column[at] = (column[at] as number) + measureText(text, as);
  };
  const addJson = function* (column: Int32Array, at: number, json: PartJson): Steps<void> {
    const length = yield* jsonReprLength(json, (text) => add(column, at, text, 'repr'));
    column[at] = (column[at] as number) + length;
  };
  const addPart = function* (at: number, { json, meant = json, type, text }: ListedPart): Steps<void> {
    if (text !== undefined) add(partUnits, at, text, 'characters');
    else if (IMAGE_TYPES.has(type)) partTokens[at] = IMAGE_TOKENS;
    else yield* addJson(partUnits, at, meant);
  };
  const addCalls = function* (index: number, calls: readonly ListedCall[]): Steps<void> {
    callUnits[index] = calls.length * CALL_FRAME_CHARACTERS;
    for (const [i, { name, args, id }] of calls.entries()) {
      if (i % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
      add(callUnits, index, name, 'repr');
      if (isText(args)) add(callUnits, index, args, 'json_repr');
      else yield* addJson(callUnits, index, args);
      yield* addJson(callUnits, index, id ?? null);
    }
  };

  for (const [index, { role, name, toolCallId, toolCalls, parts }] of messages.entries()) {
    if (index % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
    add(unitsBesideArray, index, role, 'characters');
    if (name !== undefined) add(unitsBesideArray, index, name, 'characters');
    if (toolCallId !== undefined) add(unitsBesideArray, index, toolCallId, 'characters');
    if (toolCalls !== undefined && toolCalls.length > 0) yield* addCalls(index, toolCalls);
    const firstPart = columns.partStarts[index] as number;
    for (const [i, part] of parts.entries()) {
      if (i % STEP_MESSAGES === STEP_MESSAGES - 1) yield;
      yield* addPart(firstPart + i, part);
    }
  }

  return {
    texts,
    finish(lengths) {
      for (const [i, { column, at }] of places.entries())
        column[at] = (column[at] as number) + (lengths[i] as number);
      return sum({
        ...columns,
        partTokens,
        partUnits,
        fixedTokens: MESSAGE_TOKENS,
        unitsPerToken: CHARACTERS_PER_TOKEN,
        unitsBesideArray,
        unitsBesideText: unitsBesideArray.map((units, index) => units + (callUnits[index] as number)),
      });
    },
  };
}

function sum(costs: Omit<ListCosts, 'tokens'>): ApproximateCosts {
  const { isArray, partStarts, partTokens, partUnits, unitsBesideArray, unitsBesideText } = costs;
  const tokens = new Int32Array(isArray.length);
  const attachmentTokens = new Int32Array(isArray.length);
  const otherTokens = new Int32Array(isArray.length);
  for (let index = 0; index < isArray.length; index++) {
    const beside = (isArray[index] ? unitsBesideArray : unitsBesideText)[index] as number;
    let units = beside;
    let images = 0;
    for (let part = partStarts[index] as number; part < (partStarts[index + 1] as number); part++) {
      units += partUnits[part] as number;
      images += partTokens[part] as number;
    }
    tokens[index] = MESSAGE_TOKENS + images + Math.ceil(units / CHARACTERS_PER_TOKEN);
    attachmentTokens[index] = images;
    otherTokens[index] = MESSAGE_TOKENS + Math.ceil(beside / CHARACTERS_PER_TOKEN);
  }
  return { costs: { ...costs, tokens }, attachmentTokens, otherTokens };
}
