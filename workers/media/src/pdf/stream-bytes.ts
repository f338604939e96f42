import { constants, inflateSync } from 'node:zlib';
import { damaged, Unreadable } from '../unreadable.js';
import { isDictionary, type PdfBudget, type PdfDictionary, type PdfObject } from './objects.js';

const MAX_COLUMNS = 4096;

/** What a stream of numbers holds: inflated, as far as the budget goes, and with its rows as they were. Throws Unreadable. */
export function streamBytes(given: Buffer, dictionary: PdfDictionary, budget: PdfBudget): Buffer {
  const filter = only(dictionary.get('/Filter'));
  if (filter === undefined) return given;
  if (filter !== '/FlateDecode') throw damaged();
  const inflated = inflate(given, budget);
  const parameters = only(dictionary.get('/DecodeParms'));
  const predictor = isDictionary(parameters) ? (parameters.get('/Predictor') ?? 1) : 1;
  if (typeof predictor !== 'number' || predictor < 10) return inflated;
  const columns = isDictionary(parameters) ? (parameters.get('/Columns') ?? 1) : 1;
  if (typeof columns !== 'number' || !(columns >= 1 && columns <= MAX_COLUMNS)) throw damaged();
  budget.takeBytes(inflated.length);
  return withoutPredictor(inflated, columns);
}

/** Of a list of filters, the only one. */
function only(object: PdfObject | undefined): PdfObject | undefined {
  if (!Array.isArray(object)) return object;
  if (object.length > 1) throw damaged();
  return object[0];
}

function inflate(given: Buffer, budget: PdfBudget): Buffer {
  try {
    const inflated = inflateSync(given, {
      maxOutputLength: budget.inflatedBytesLeft,
      // What breaks off is taken as far as it goes.
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    budget.takeInflated(inflated.length);
    return inflated;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // How much was inflated up to the fault nobody tells.
    budget.takeInflated(Math.ceil(budget.inflatedBytesLeft / 2));
    throw new Unreadable(
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged',
    );
  }
}

/** Rows as differences from their neighbours, in bytes, as PNG has them (PNG third edition, §9). */
function withoutPredictor(rows: Buffer, columns: number): Buffer {
  const count = Math.floor(rows.length / (columns + 1));
  const plain = Buffer.alloc(count * columns);
  for (let row = 0; row < count; row++) {
    const type = rows[row * (columns + 1)] as number;
    for (let i = 0; i < columns; i++) {
      const at = row * columns + i;
      const left = i > 0 ? (plain[at - 1] as number) : 0;
      const up = row > 0 ? (plain[at - columns] as number) : 0;
      const upLeft = i > 0 && row > 0 ? (plain[at - columns - 1] as number) : 0;
      plain[at] = (rows[row * (columns + 1) + 1 + i] as number) + predicted(type, left, up, upLeft);
    }
  }
  return plain;
}

function predicted(type: number, left: number, up: number, upLeft: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const [toLeft, toUp, toBoth] = [
        Math.abs(up - upLeft),
        Math.abs(left - upLeft),
        Math.abs(left + up - 2 * upLeft),
      ];
      if (toLeft <= toUp && toLeft <= toBoth) return left;
      return toUp <= toBoth ? up : upLeft;
    }
    default:
      return 0;
  }
}
