import type { Maker, Model } from './model.js';

/** What may follow the id of a model in the names of its snapshots, by provider. Open weights have none. */
const SNAPSHOT_SUFFIXES: Readonly<Partial<Record<Maker, RegExp>>> = {
  openai: /^-\d{4}-\d{2}-\d{2}$/,
  anthropic: /^(?:(?:-v\d)?[-@](?:\d{8}|latest|default)|-v\d)$/,
  google: /^(?:-\d{3}|-latest|[-@](?:preview|exp|default)(?:-\d{2}-\d{2,4})?|@\d{3})$/,
  xai: /^-(?:latest|\d{4})$/,
};

/** Whether a name that begins with a model's id is that of a snapshot: other suffixes name other models. */
export function isSnapshotSuffix({ provider }: Model, suffix: string): boolean {
  return SNAPSHOT_SUFFIXES[provider as Maker]?.test(suffix) ?? false;
}

/** Ways in which the same model is written, the name itself first. */
export function spellingsOf(name: string): string[] {
  const spellings = [name];
  if (name.startsWith('claude-')) {
    // Gateways write `claude-3.5-sonnet` for what Anthropic calls `claude-3-5-sonnet`, and mix up the order.
    const dashed = name.replaceAll('.', '-');
    const [, version, size, rest] = /^claude-(\d(?:-\d)?)-(opus|sonnet|haiku|fable)(.*)$/.exec(dashed) ?? [];
    const [, size3, version3, rest3] = /^claude-(opus|sonnet|haiku)-(3(?:-\d)?)(.*)$/.exec(dashed) ?? [];
    spellings.push(dashed);
    if (version !== undefined) spellings.push(`claude-${size}-${version}${rest}`);
    if (version3 !== undefined) spellings.push(`claude-${version3}-${size3}${rest3}`);
  }
  // Azure leaves out the dot, which its names may not have.
  if (name.startsWith('gpt-35-')) spellings.push(name.replace('gpt-35-', 'gpt-3.5-'));
  // Bedrock writes `llama3-1-70b-instruct`.
  const llama = /^llama-?(\d)(?:-(\d))?-(\d+b-.*)$/.exec(name);
  if (llama) spellings.push(`llama-${llama[1]}${llama[2] === undefined ? '' : `.${llama[2]}`}-${llama[3]}`);
  return spellings;
}
