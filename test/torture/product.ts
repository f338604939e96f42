import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TEXT_RATIO_RULES } from '@preflight/accounting';
import { Answerer, type AnswererOptions, readPricing, toPreflightError } from '@preflight/api';
import { parseBody, writeJson } from '@preflight/body';
import { preflightRequest, type Work } from '@preflight/contracts';
import { STRATEGIES } from '@preflight/core';
import { Metrics } from '@preflight/runtime';
import { loadCounter } from '@preflight/tokenizer';
import { type Parts, recordingLog } from '../harness/in-process.js';
import { tempDir } from '../harness/temp-dir.js';
import type { Plain } from './cases.js';
import { workByMeasure } from './counted-work.js';

/** What the product made of an input, in the words of expectations. */
export interface Outcome {
  readonly code?: string | undefined;
  readonly tokens?: number;
  readonly messageTokens?: readonly number[];
  readonly warnings?: readonly string[];
  readonly flags?: Plain;
  readonly reports?: Plain;
  /** Of a trim: positions of the input that are left, and the messages that stand there now. */
  readonly kept?: readonly number[];
  readonly result?: readonly Plain[];
  readonly given?: readonly Plain[];
  readonly format?: string;
  /** Recounted, and what may be had. */
  readonly used?: number;
  readonly budget?: number;
  readonly tokensAfter?: readonly number[];
  /** With a budget of bytes. */
  readonly bytes?: { readonly before: number; readonly after: number; readonly max: number } | undefined;
  /** Of a cut: one for each cap. */
  readonly cuts?: readonly { readonly cap: number; readonly text: string; readonly tokens: number }[];
  readonly wallMs?: number;
}

/** Not offered, and why; never a pass. */
export class Skipped extends Error {}

const STRATEGY_NAMES: Readonly<Record<string, string>> = {
  truncate: 'truncate',
  drop_turns: 'drop_turns',
  trim_last: 'trim',
};

/** Runs inputs on the service in this process. */
export class Product {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(input: Plain): Promise<Outcome[]> {
    switch (input.op) {
      case 'count':
        return this.#count(input);
      case 'trim':
        return [await this.#trim(input)];
      case 'cut':
        return [isByTruncation(input) ? await this.#cutByTruncation(input) : await cutAlone(input)];
      case 'share':
        return [await this.#share(input)];
      case 'budget':
        return [await this.#budget(input)];
      default:
        throw new Skipped(`${input.op} is run elsewhere`);
    }
  }

  /** One outcome for each encoding. */
  async #count(input: Plain): Promise<Outcome[]> {
    const factor = (input.options as Plain | undefined)?.family_factor as number | undefined;
    const answerer =
      factor === undefined ? undefined : await answererWithFactor(factor, this.#parts.coordinator);
    const encodings = (input.encodings as string[] | undefined) ?? [input.encoding as string | undefined];
    return Promise.all(
      encodings.map(async (encoding) => {
        const { model, text } = input;
        const content = text === undefined ? conversationIn(input) : { text };
        const started = performance.now();
        const body = { ...content, ...accountingOf(input), model, encoding };
        const answer = await this.#call('count', body, answerer);
        const wallMs = performance.now() - started;
        const messageTokens = ((answer.body?.messages ?? []) as Record<string, number>[]).map(
          (row) => (row.content_tokens ?? 0) + (row.attachment_tokens ?? 0) + (row.other_tokens ?? 0),
        );
        const isUnknown = answer.warnings?.some((warning) => warning.startsWith('unknown_model')) ?? false;
        return {
          ...answer,
          tokens: answer.body?.tokens as number,
          messageTokens,
          wallMs,
          flags: {
            ...answer.flags,
            estimate: !['exact', 'formula'].includes(answer.body?.basis as string),
            fits: isWithin(answer.body, input),
            unknown_model: isUnknown,
          },
          reports: {
            encoding: answer.body?.encoding,
            tokenizer: answer.body?.encoding,
            upper_bound: answer.body?.high,
            ...breakdownOf(answer.body),
            ...mediaOf(answer.body),
            context: await this.#windowOf(input, { ...content, model, encoding }),
          },
        };
      }),
    );
  }

  /** Whether it fits is another call. */
  async #windowOf({ context }: Plain, body: Plain): Promise<unknown> {
    if (context === undefined) return undefined;
    const { text, ...rest } = body;
    const messages = text === undefined ? {} : { messages: [{ role: 'user', content: text }] };
    const answer = await this.#call('preflight', { ...rest, ...messages, context_window: context });
    return (answer.body?.tokens as Plain | undefined)?.context_window;
  }

  async #trim(input: Plain): Promise<Outcome> {
    if (input.byte_budget !== undefined && input.level === 'service' && process.env.TORTURE !== 'all')
      throw new Skipped('107 MB, with TORTURE=all only; the same is tried with images of 14 kB');
    const given = (input.messages ?? input.items) as Plain[];
    const conversation = conversationIn(input);
    const counted = {
      ...conversation,
      ...accountingOf(input),
      encoding: (input.encoding as string) ?? 'o200k_base',
      count: input.counter === 'content' ? 'content' : 'request',
    };
    const isByMessages = input.counter === 'messages';
    const answerer = isByMessages ? answererOf(workByMeasure(() => 1)) : undefined;
    const isStrict = input.strategy === 'trim_first';
    const body = { ...(isStrict ? conversation : counted), ...strategyOf(input), return: 'conversation' };
    const started = performance.now();
    const answer = await this.#call('preflight', body, answerer);
    const wallMs = performance.now() - started;
    const result = answer.body?.conversation as Plain | undefined;
    if (answer.body === undefined || result === undefined)
      return { ...answer, given, format: counted.format, budget: input.budget as number, wallMs };
    const list = (result.messages ?? result.input) as Plain[];
    const rows = answer.body.messages as Plain[];
    const again = isByMessages
      ? undefined
      : (await this.#call('count', { ...counted, request: result })).body;
    const recount = again?.tokens ?? list.length;
    return {
      ...answer,
      wallMs,
      given,
      format: counted.format,
      budget: input.budget as number,
      kept: rows.filter(({ action }) => action !== 'dropped').map(({ index }) => index as number),
      result: list,
      used: recount as number,
      tokensAfter: rows.map(({ tokens_after }) => tokens_after as number),
      reports: {
        tokens_before: (answer.body.tokens as Plain).before,
        tokens_after: (answer.body.tokens as Plain).after,
        per_message: rows.length,
      },
      bytes: answer.body.bytes as Outcome['bytes'],
      flags: {
        over_bytes: isOver(answer.body.bytes as Outcome['bytes']),
        changed: (answer.body.edits as unknown[]).length > 0,
        fits: (recount as number) <= (input.budget as number),
      },
    };
  }

  /** The text is a message before an empty question. */
  async #cutByTruncation(input: Plain): Promise<Outcome> {
    if (input.unit !== 'tokens') throw new Skipped('texts are cut by tokens, not by characters');
    const cuts: { cap: number; text: string; tokens: number }[] = [];
    const messages = [
      { role: 'user', content: input.text },
      { role: 'user', content: '' },
    ];
    let reports: Plain = {};
    for (const cap of capsOf(input)) {
      const { encoding } = input;
      const body = {
        messages,
        encoding,
        count: 'content',
        ...BARE,
        truncate: { cut: { user: input.mode } },
        budget_tokens: cap,
        return: 'conversation',
      };
      const { body: answer, code } = await this.#call('preflight', body);
      if (answer === undefined) {
        if (code !== STRATEGIES.truncate.refusals.overBudget.code) return { code };
        continue;
      }
      const [row] = answer.messages as Plain[];
      const [cut] = (answer.conversation as { messages: Plain[] }).messages;
      cuts.push({ cap, text: cut?.content as string, tokens: row?.tokens_after as number });
      reports = { kept_tokens: row?.tokens_after, total_tokens: row?.content_tokens };
    }
    return { cuts, reports: cuts.length > 0 ? reports : { kept_tokens: 0, total_tokens: 0 } };
  }

  /** Documents are messages before an empty question. */
  async #share(input: Plain): Promise<Outcome> {
    const given = (input.documents as string[]).map((content) => ({ role: 'user', content }));
    const messages = [...given, { role: 'user', content: '' }];
    const { encoding, budget } = input;
    const body = {
      messages,
      encoding,
      count: 'content',
      ...BARE,
      ...evenShare(),
      budget_tokens: budget,
      return: 'conversation',
    };
    const answer = await this.#call('preflight', body);
    const rows = (answer.body?.messages ?? []) as Plain[];
    const result = ((answer.body?.conversation as Plain | undefined)?.messages ?? []) as Plain[];
    return {
      ...answer,
      given: messages,
      result,
      kept: rows.map(({ index }) => index as number),
      tokensAfter: rows.slice(0, given.length).map(({ tokens_after }) => tokens_after as number),
      used: (answer.body?.tokens as Plain | undefined)?.after as number,
      budget: budget as number,
      reports: { per_document: rows.map(({ tokens_after }) => tokens_after) },
    };
  }

  /** Arithmetic only: the input has so many tokens. */
  async #budget(input: Plain): Promise<Outcome> {
    const answerer = answererOf(workByMeasure(() => input.input_tokens as number));
    const body = {
      messages: [{ role: 'user', content: '' }],
      model: input.model,
      encoding: 'o200k_base',
      context_window: input.context,
      max_output_tokens: input.max_output,
      visible_output_tokens: input.visible_output,
      reasoning_tokens: input.thinking_budget,
      min_output_tokens: 0,
      buffer_tokens: input.margin ?? 0,
    };
    const answer = await this.#call('preflight', body, answerer);
    const limits = answer.body?.limits as { overflow: { tokens: number }[] } & Plain;
    return {
      ...answer,
      flags: {
        fits: answer.body?.outcome === 'fits',
        reasoning_warning: answer.warnings?.some((warning) => warning.startsWith('reasoning_')),
      },
      reports: {
        max_output_allowed: answer.body?.max_output_tokens,
        overflow: limits.overflow[0]?.tokens,
        suggested_max_output: limits.suggested_max_output_tokens,
      },
    };
  }

  async #call(
    kind: 'count' | 'preflight',
    body: Plain,
    answerer = this.#parts.answerer,
  ): Promise<Outcome & { readonly body?: Plain }> {
    const context = { instance: '/', requestId: 'torture', signal: new AbortController().signal };
    try {
      const answer = await answerer[kind](parseBody(Buffer.from(JSON.stringify(body))), context);
      const plain = JSON.parse(writeJson(answer.body).toString()) as Plain;
      const warnings = ((plain.warnings ?? []) as { code: string; detail: string }[]).map(
        ({ code, detail }) => `${code}: ${detail}`,
      );
      if (answer.status !== 200) return { code: plain.code as string, warnings, flags: { fits: false } };
      return { body: plain, warnings, flags: { exact: plain.exact } };
    } catch (error) {
      const { code } = toPreflightError(error);
      if (code === 'internal_error') throw error;
      return { code };
    }
  }
}

/** Whether the output fits is no question of these cases. */
const BARE = { max_output_tokens: 1, min_output_tokens: 0, buffer_tokens: 0 };

/** As an operator sets the upper bound of a family's texts: by a file of rules. */
async function answererWithFactor(high: number, work: Work): Promise<Answerer> {
  const rulesFile = join(await tempDir(), 'rules.json');
  const raised = TEXT_RATIO_RULES.filter(({ id }) => id.startsWith('claude')).map(({ id, ratios }) => ({
    id,
    ratios: Object.fromEntries(
      Object.entries(ratios).map(([kind, ratio]) => [kind, { ...ratio, high: Math.max(high, ratio.tokens) }]),
    ),
  }));
  await writeFile(rulesFile, JSON.stringify({ text_ratios: raised }));
  return answererOf(work, readPricing({ accounting: 'payload', rulesFile }));
}

function answererOf(work: Work, pricing?: AnswererOptions['pricing']): Answerer {
  return new Answerer({
    work,
    pricing,
    log: recordingLog().log,
    metrics: new Metrics(),
    maxMessages: 250_000,
    defaultContextWindowTokens: undefined,
  });
}

/** Media at their prices, where the case asks for that. */
function accountingOf({ attachment_policy, model }: Plain): Plain {
  return attachment_policy === 'media' ? { accounting: 'provider', model } : {};
}

/** Whether what was counted and the answer are within the window of the case. */
function isWithin(answer: Plain | undefined, { context, max_output = 0 }: Plain): boolean | undefined {
  if (context === undefined) return undefined;
  return (answer?.high as number) + (max_output as number) <= (context as number);
}

/** What a count is made of, as far as it is told. */
function breakdownOf(answer: Plain | undefined): Plain {
  const rows = (answer?.messages ?? []) as (Record<string, number> & { readonly role: string })[];
  const sumOf = (chosen: typeof rows) =>
    chosen.reduce((sum, row) => sum + (row.content_tokens ?? 0) + (row.other_tokens ?? 0), 0);
  const { kinds } = (answer?.overhead ?? {}) as { kinds?: Plain };
  return {
    system: sumOf(rows.filter(({ role }) => role === 'system')),
    messages: sumOf(rows),
    tools: kinds?.tools,
    overhead: answer?.request_overhead,
  };
}

/** What the provider makes of attachments, and by which rule. */
function mediaOf(answer: Plain | undefined): Plain {
  const rows = (answer?.attachments ?? []) as { readonly provider: Record<string, unknown> }[];
  const [first] = rows;
  return {
    media_tokens: rows.reduce((sum, { provider }) => sum + (provider.tokens as number), 0),
    profile: first?.provider.rule,
    profile_date: first?.provider.rule_date,
  };
}

/** Blocks of Anthropic, items of Responses, or chat messages. */
function conversationIn({ messages, items, tools }: Plain): { format: string; request: Plain } {
  if (items !== undefined) return { format: 'openai-responses', request: { input: items } };
  const written = JSON.stringify(messages);
  if (written.includes('"type":"input_image"'))
    return { format: 'openai-responses', request: { input: messages } };
  if (written.includes('"mimeType":')) return { format: 'langchain', request: { messages } };
  const hasBlocks = written.includes('"tool_use"') || written.includes('"source":{');
  return {
    format: hasBlocks ? 'anthropic-messages' : 'openai-chat',
    request: { messages, ...(tools === undefined ? {} : { tools }) },
  };
}

/** Shares by what each needs, where that is offered; the plain truncation has the floors of its reference. */
function evenShare(): Plain {
  if (!Object.hasOwn(preflightRequest.properties, 'truncate'))
    throw new Skipped('there is no option max_min');
  return { truncate: { max_min: true } };
}

const isOver = (bytes: Outcome['bytes']) => bytes !== undefined && bytes.before > bytes.max;

function strategyOf({ strategy, budget, byte_budget, encoding, options = {} }: Plain): Plain {
  if (strategy === 'trim_first')
    return {
      strategy: 'trim_messages',
      trim_messages: {
        strategy: 'first',
        max_tokens: budget,
        token_counter: { encoding: encoding ?? 'o200k_base', per_message_tokens: 0 },
      },
    };
  const name = STRATEGY_NAMES[strategy as string] ?? String(strategy);
  if (!Object.hasOwn(STRATEGIES, name)) throw new Skipped(`there is no strategy ${name}`);
  const { start_on } = options as Plain;
  const window = start_on === undefined ? {} : { trim: { start_on } };
  // Images are given up first.
  const bytes =
    byte_budget === undefined ? {} : { max_request_bytes: byte_budget, attachments: 'elide_oldest' };
  return { strategy: name, ...window, ...BARE, ...bytes, budget_tokens: budget };
}

function capsOf({ caps }: Plain): number[] {
  if (Array.isArray(caps)) return caps;
  const { from, to } = caps as { from: number; to: number };
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** A marker, and other ends than the head, are those of messages that are truncated. */
function isByTruncation({ marker, mode }: Plain): boolean {
  return marker === true || mode !== 'head';
}

/** The tokenizer's own cut; best of three for the time. */
async function cutAlone(input: Plain): Promise<Outcome> {
  if (input.unit !== 'tokens') throw new Skipped('texts are cut by tokens, not by characters');
  const counter = await loadCounter(input.encoding as 'o200k_base');
  const text = input.text as string;
  const timesMs: number[] = [];
  const cuts = capsOf(input).map((cap) => {
    const started = process.cpuUsage().user;
    const cut = counter.cut(text, cap);
    timesMs.push((process.cpuUsage().user - started) / 1000);
    return { cap, text: cut, tokens: counter.count(cut) };
  });
  return { cuts, wallMs: Math.min(...timesMs) };
}
