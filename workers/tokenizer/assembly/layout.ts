// Where everything lies in the shared memory. The table generator reads these very constants from this
// file, so that the two can never disagree: keep the form `export const NAME: usize = NUMBER;`.

// --- read-only tables, one image per vocabulary, at the start of the memory ---

/** Slot map of attached threads (JavaScript side only). */
export const SLOT_MAP: usize = 0x0;
/** 16 pairs of 64-bit masks: the first n bytes of a 16-byte key. */
export const LENGTH_MASKS: usize = 0x1000;
/** Number of every character that a word of random text may begin with, u8. */
export const WORD_CODES: usize = 0x1400;
/** Token id of every single byte, u32. */
export const BYTE_IDS: usize = 0x2000;
/** Code point >> 7 to block number, u16. */
export const CLASS_BLOCKS: usize = 0x4000;
/** Blocks of 128 classes, u8; block 0 is ASCII. */
export const CLASSES: usize = 0xa000;
/** Merged id of every pair of bytes, u32, NONE where there is no such token. */
export const BYTE_PAIRS: usize = 0x20000;
/** Bit filter before the pair table. */
export const PAIR_FILTER: usize = 0x60000;
/** Open-addressing table of all pairs: left << 36 | right << 18 | merged. */
export const PAIRS: usize = 0xa0000;
/** The same of the pairs of lowest rank, which most merges are of. */
export const FREQUENT_PAIRS: usize = 0x2a0000;
/** Bit filter before the vocabulary. */
export const VOCABULARY_FILTER: usize = 0x2e0000;
/** Left and right half of every token, two u32. */
export const HALVES: usize = 0x4a0000;
/** Tokens of up to 15 bytes: lines of four 16-byte slots. */
export const VOCABULARY: usize = 0x640000;
/** Token count of words of up to four characters, two bits each; see words.ts. */
export const WORD_COUNTS: usize = 0xb40000;
/** Whether a word of four characters is two tokens of two, one bit each. */
export const WORD_TWINS: usize = 0xd50000;
/** Token count and length of the last token of the same words, four bits each. */
export const WORD_ENDS: usize = 0xe60000;
/** In the place of words, where HAS_WHOLE_PIECES: bit filter of tokens that are found as whole pieces only, slots of place and length, u32, and their bytes. */
export const WHOLE_FILTER: usize = 0xb40000;
export const WHOLE_SLOTS: usize = 0xb48000;
export const WHOLE_BYTES: usize = 0xb50000;
/** Token id of every character of the basic plane that is a token, else NONE, u32. */
export const CHARACTER_IDS: usize = 0x1280000;
/** Least rank that joins something ending with byte x to an unfinished character beginning with byte y, u32 at x | y << 8. */
export const LEFT_BOUNDS: usize = 0x12c0000;
/** Least rank that joins the unfinished end x of a character to something beginning with byte y. */
export const RIGHT_BOUNDS: usize = 0x1300000;
/** Classes of the basic plane, u8. */
export const PLANE_CLASSES: usize = 0x1340000;
/** First content of every thread's MEMO: the most frequent tokens. */
export const MEMO_SEED: usize = 0x1350000;
/** Bit filter of all characters that a merge joins, as last character on the left and first on the right. */
export const JOIN_FILTER: usize = 0x1450000;
/** How the last four of a row of small letters, then of symbols, may end in tokens, u8; see rows.ts. */
export const ROW_LETTERS: usize = 0x1460000;
export const ROW_SYMBOLS: usize = 0x14d0000;
/** Number of every ASCII symbol, u8. */
export const ROW_CODES: usize = 0x15d0000;
/** Next state of every state and every eight bits of the two above, u16. */
export const ROW_STATES: usize = 0x15d1000;
/** Number of three small letters among those that are tokens, from 1 on, else 0, u16; and their ids, u32. */
export const ROW_THREES: usize = 0x15d4000;
export const ROW_THREE_IDS: usize = 0x15dd000;
/** Whether a token of two letters stands stably before, and behind, one of three, and one of three before another: a bit for each. */
export const ROW_TWO_THREE: usize = 0x15e1000;
export const ROW_THREE_TWO: usize = 0x1636000;
export const ROW_THREE_THREE: usize = 0x168b000;
/** Number of four letters among those that are tokens, u16; whether a token of two letters, or of one, stands stably before them. */
export const ROW_FOUR_NUMBERS: usize = 0x188b000;
export const ROW_BEFORE_FOURS: usize = 0x196b000;
/** Token id of every slot of VOCABULARY, u32. */
export const VOCABULARY_IDS: usize = 0x1a20000;
/** Bit filter of all that tokens begin with, up to 15 bytes. */
export const PREFIX_FILTER: usize = 0x1b20000;
/** End of the tables; thread regions follow. */
export const TABLES_END: usize = 0x1ba0000;

// --- sizes ---

export const PAIR_SLOT_BITS: u64 = 18;
export const FREQUENT_PAIR_SLOT_BITS: u64 = 15;
/** Tokens below this rank are in FREQUENT_PAIRS. */
export const FREQUENT_RANKS: u64 = 16000;
export const VOCABULARY_FILTER_BITS: u64 = 21;
export const PAIR_FILTER_BITS: u64 = 21;
export const JOIN_FILTER_BITS: u64 = 19;
export const PREFIX_FILTER_BITS: u64 = 22;
export const PREFIX_FILTER_HASHES: i32 = 3;
export const VOCABULARY_LINE_BITS: u64 = 16;
export const WHOLE_FILTER_BITS: u64 = 18;
export const WHOLE_SLOT_BITS: u64 = 12;
export const WHOLE_BYTES_CAPACITY: usize = 0x10000;

/** Tokens of three letters, and of four, that have a number. */
export const ROW_THREE_LIMIT: usize = 4096;
export const ROW_FOUR_LIMIT: usize = 8192;

/** What comes later changes no token that ends so many bytes before. */
export const CHAIN_BYTES: usize = 448;

// --- hash multipliers ---

export const HASH_PAIR: u64 = 0x9e3779b97f4a7c15;
export const HASH_LOW: u64 = 0xa0761d6478bd642f;
export const HASH_HIGH: u64 = 0xe7037ed1a0b428db;
export const HASH_LINE: u64 = 0x8ebc6af09c88c6e3;

// --- classes ---

export const CLASS_SYMBOL: i32 = 0;
export const CLASS_UPPER: i32 = 1;
export const CLASS_LOWER: i32 = 2;
export const CLASS_BOTH: i32 = 3;
export const CLASS_MARK: i32 = 4;
export const CLASS_DIGIT: i32 = 5;
export const CLASS_BLANK: i32 = 6;
export const CLASS_NEWLINE: i32 = 7;

// --- one thread's region, offsets from its base ---

/** The text of a step. Up to 64 bytes behind its end are read. */
export const TEXT: usize = 0x1000;
export const TEXT_CAPACITY: usize = 0x60000;
/** Token counts of pieces of up to 15 bytes: 64K slots of 16 bytes. */
export const MEMO: usize = 0x70000;
export const MEMO_BYTES: usize = 0x100000;
/** The same of pieces of several tokens: 16K lines of four slots. */
export const SECOND_MEMO: usize = 0x170000;
/** Pieces of 16 to 30 bytes: 8K slots of 32 bytes, and their token counts, u8. */
export const LONG_MEMO: usize = 0x270000;
export const LONG_MEMO_COUNTS: usize = 0x2b0000;
/** Work areas of the merge. */
export const MERGE_KEYS: usize = 0x2b2000;
export const MERGE_IDS: usize = 0x2b4000;
export const MERGE_NEXT: usize = 0x2b5000;
export const MERGE_PREVIOUS: usize = 0x2b6000;
export const MERGE_MINIMA: usize = 0x2b7000;
export const MERGE_OFFSETS: usize = 0x2b7800;
/** Lengths of tokens in a row of letters or symbols. */
export const ROW_LENGTHS: usize = 0x2b7a00;
/** Long pieces: the stack of tokens, and windows met before. */
export const STACK_TOKENS: usize = 0x2b8000;
export const STACK_ENDS: usize = 0x2bc000;
export const WINDOW_MEMO: usize = 0x2c0000;
/** States of automaton.ts, a new one in the making and the text that leads to it, and a table to find them by. */
export const AUTOMATON_STATES: usize = 0x2d0000;
export const AUTOMATON_SCRATCH: usize = 0x350000;
export const AUTOMATON_SLOTS: usize = 0x352000;
/** Class of every byte; for each state the next of every class, u16, and the length of its last token, u8. */
export const AUTOMATON_CLASSES: usize = 0x356000;
export const AUTOMATON_LAST_BYTES: usize = 0x357000;
export const AUTOMATON_NEXT: usize = 0x360000;
/** Pieces that wait, and which of them are new; merges side by side, and which of them are not at their end. */
export const WAITING: usize = 0x358000;
export const WAITING_NEW: usize = 0x359000;
export const MERGES_LEFT: usize = 0x359100;
export const MERGES: usize = 0x359200;
/** The last two letters of every prefix of a row as a number, u16, and what the table says of its last four, u8. */
export const ROW_TWOS: usize = 0x35b000;
export const ROW_BITS: usize = 0x35b900;
/** Size of a region. */
export const THREAD_BYTES: usize = 0x380000;
