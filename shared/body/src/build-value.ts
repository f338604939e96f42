import type { Json, JsonObject, Steps, TextRange } from '@preflight/core';
import { COLON, COMMA, isWhiteSpace, OPEN_OBJECT } from './json-bytes.js';
import type { Border } from './layout.js';
import type { Lifted } from './lift.js';
import type { SharedBytes } from './shared-bytes.js';

/**
 * The value of a JSON body, a group of values at a time: what stands between two borders is left to JSON.parse, what is
 * on a border is read here. Strings that were lifted are given as their ranges. `nonce` must stand in no string of the body.
 * @throws SyntaxError for what is no JSON; its message may quote the body.
 */
export function* buildValue(
  bytes: SharedBytes,
  borders: readonly Border[],
  lifted: readonly Lifted[],
  nonce: string,
): Steps<Json> {
  const groups = new Groups(bytes, lifted, nonce);
  if (borders.length === 0) return groups.parse(0, bytes.length, '', '');
  const builder = new Builder(bytes, groups);
  for (const border of borders) {
    builder.take(border);
    yield;
  }
  return builder.end();
}

/** A large container whose values are being put in. */
interface Open {
  readonly container: Json[] | JsonObject;
  readonly closer: number;
}

class Builder {
  readonly #bytes: SharedBytes;
  readonly #groups: Groups;
  readonly #open: Open[] = [];
  #root: Json | undefined;
  /** Everything before is done. */
  #from = 0;
  /** What was done last is a large container, after which a comma must follow, or the end of the one around it. */
  #isAfterContainer = false;

  constructor(bytes: SharedBytes, groups: Groups) {
    this.#bytes = bytes;
    this.#groups = groups;
  }

  take(border: Border): void {
    if (border.kind === 'open') this.#enter(border.at, border.after);
    else if (border.kind === 'comma') this.#addUpTo(border.at);
    else this.#leave(border.at);
  }

  end(): Json {
    if (this.#open.length > 0 || this.#root === undefined) throw new SyntaxError();
    this.#expectBlank(this.#bytes.length);
    return this.#root;
  }

  #enter(at: number, after: number): void {
    const container = this.#bytes[at] === OPEN_OBJECT ? {} : [];
    const around = this.#open.at(-1)?.container;
    if (around === undefined) {
      if (this.#root !== undefined) throw new SyntaxError();
      this.#expectBlank(at);
      this.#root = container;
    } else {
      if (after >= this.#from) this.#addUpTo(after);
      else if (this.#isAfterContainer) throw new SyntaxError();
      if (Array.isArray(around)) {
        this.#expectBlank(at);
        around.push(container);
      } else put(around, this.#readKey(at), container);
    }
    // A bracket and its counterpart are two apart.
    this.#open.push({ container, closer: (this.#bytes[at] as number) + 2 });
    this.#from = at + 1;
    this.#isAfterContainer = false;
  }

  /** Adds all values up to a comma, of which there must be one. */
  #addUpTo(comma: number): void {
    if (this.#isAfterContainer) this.#skipComma();
    // That was this very comma.
    if (this.#from > comma) return;
    this.#addGroup(comma);
    this.#from = comma + 1;
  }

  #leave(at: number): void {
    const { closer } = this.#open.at(-1) as Open;
    if (this.#bytes[at] !== closer) throw new SyntaxError();
    if (!this.#isAfterContainer) this.#addGroup(at);
    else if (this.#skipWhiteSpace() !== at) {
      this.#skipComma();
      this.#addGroup(at);
    }
    this.#open.pop();
    this.#from = at + 1;
    this.#isAfterContainer = true;
  }

  #addGroup(to: number): void {
    const { container } = this.#open.at(-1) as Open;
    if (Array.isArray(container)) {
      const values = this.#groups.parse(this.#from, to, '[', ']') as Json[];
      if (values.length === 0) throw new SyntaxError();
      for (const value of values) container.push(value);
    } else {
      const members = this.#groups.parse(this.#from, to, '{', '}') as JsonObject;
      const keys = Object.keys(members);
      if (keys.length === 0) throw new SyntaxError();
      for (const key of keys) put(container, key, members[key] as Json);
    }
  }

  #readKey(to: number): string {
    let colon = to - 1;
    while (isWhiteSpace(this.#bytes[colon])) colon -= 1;
    if (this.#bytes[colon] !== COLON) throw new SyntaxError();
    const key = this.#groups.parse(this.#from, colon, '', '');
    if (typeof key !== 'string') throw new SyntaxError();
    return key;
  }

  #skipComma(): void {
    const comma = this.#skipWhiteSpace();
    if (this.#bytes[comma] !== COMMA) throw new SyntaxError();
    this.#from = comma + 1;
    this.#isAfterContainer = false;
  }

  #expectBlank(to: number): void {
    if (this.#skipWhiteSpace() < to) throw new SyntaxError();
  }

  /** The offset of the first byte that is no white space. */
  #skipWhiteSpace(): number {
    let i = this.#from;
    while (isWhiteSpace(this.#bytes[i])) i += 1;
    return i;
  }
}

/** Sets an own property, whatever its name. */
function put(object: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Stretches of a body, to be parsed in their order. */
class Groups {
  readonly #bytes: SharedBytes;
  readonly #lifted: readonly Lifted[];
  readonly #nonce: string;
  /** The first string that was lifted and not come by yet. */
  #next = 0;

  constructor(bytes: SharedBytes, lifted: readonly Lifted[], nonce: string) {
    this.#bytes = bytes;
    this.#lifted = lifted;
    this.#nonce = nonce;
  }

  /** The value of a stretch between two brackets, with ranges in their places. */
  parse(from: number, to: number, open: string, close: string): Json {
    const first = this.#next;
    const value: Json = JSON.parse(`${open}${this.#text(from, to)}${close}`);
    return first === this.#next ? value : this.#withRanges(value);
  }

  /** The text of a stretch, in which a placeholder stands for each string that was lifted. */
  #text(from: number, to: number): string {
    let text = '';
    let start = from;
    for (; this.#next < this.#lifted.length; this.#next += 1) {
      const { open, close } = this.#lifted[this.#next] as Lifted;
      if (open >= to) break;
      text += `${this.#bytes.toString('utf8', start, open)}"${this.#nonce}${this.#next}"`;
      start = close + 1;
    }
    return text + this.#bytes.toString('utf8', start, to);
  }

  /** Replaces each placeholder in `value` by its range, without recursion. */
  #withRanges(value: Json): Json {
    const root: Json[] = [value];
    const pending: (Json[] | JsonObject)[] = [root];
    const replacement = (child: Json): Json => {
      if (typeof child === 'string') return child.startsWith(this.#nonce) ? this.#rangeOf(child) : child;
      if (typeof child === 'object' && child !== null) pending.push(child as Json[] | JsonObject);
      return child;
    };
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (Array.isArray(node)) {
        for (let i = 0; i < node.length; i += 1) node[i] = replacement(node[i] as Json);
      } else {
        // Every key is an own property, `__proto__` too, so that this sets no prototype.
        for (const key of Object.keys(node)) node[key] = replacement(node[key] as Json);
      }
    }
    return root[0] as Json;
  }

  #rangeOf(placeholder: string): TextRange {
    return (this.#lifted[Number(placeholder.slice(this.#nonce.length))] as Lifted).range;
  }
}
