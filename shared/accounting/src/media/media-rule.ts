import type { MediaKind } from '@preflight/core';
import type { Margin } from '../figure.js';

/** What all rules of media say of themselves. A rule is data: it can be written as JSON, and overridden by an operator. */
interface DatedRule {
  /** Stable; rules of an operator with the same id take its place. */
  readonly id: string;
  readonly kind: MediaKind;
  /** Names of models that it is known for; see `ruleForModel`. */
  readonly models: readonly string[];
  /** Names of models that it is assumed for: there it is an estimate, whatever its basis. */
  readonly assumedFor?: readonly string[];
  /** Formats of requests that it is limited to; in these it comes before rules for all. */
  readonly formats?: readonly string[];
  readonly basis: 'formula' | 'estimate';
  readonly margin: Margin;
  readonly source: string;
  readonly date: string;
}

export type MediaRule = ImageRule | PdfRule | AudioRule | VideoRule | TextRule;

export type ImageRule = ImageLimits &
  (PatchRule | TileRule | PaddedPatchRule | AspectGridRule | CropRule) & { readonly kind: 'image' };

interface ImageLimits extends DatedRule {
  /** A longer side is refused. */
  readonly refusedAbovePx?: number;
  /** In a request with more images than `images`, sides longer than `refusedAbovePx` are refused. */
  readonly manyImages?: { readonly images: number; readonly refusedAbovePx: number };
}

/** Squares of `patchPx`, after the image was scaled down to a side and to a number of squares; by level of detail. */
export interface PatchRule {
  readonly shape: 'patches';
  readonly patchPx: number;
  readonly multiplier: number;
  /** Images that still have more patches are refused. */
  readonly refusedAbovePatches: number;
  readonly levels: Readonly<Record<string, { readonly maxSidePx?: number; readonly maxPatches?: number }>>;
  /** The level of `auto`, and of none; also of one that is not listed. */
  readonly auto: string;
}

/** A base, and tiles of an image that was fitted into a square and then to a short side. Low detail is the base alone. */
export interface TileRule {
  readonly shape: 'tiles';
  readonly baseTokens: number;
  readonly tileTokens: number;
  readonly tilePx: number;
  readonly fitPx: number;
  readonly shortSidePx: number;
  /** Added for high input fidelity. */
  readonly fidelityTokens?: { readonly square: number; readonly other: number };
}

/** Squares of `patchPx` of the largest image of the same shape that keeps to a side and a number of squares, padded. */
export interface PaddedPatchRule {
  readonly shape: 'padded_patches';
  readonly patchPx: number;
  readonly maxSidePx: number;
  readonly maxTokens: number;
}

/** As many squares as a level of resolution has, laid out in the shape of the image, whatever its size. */
export interface AspectGridRule {
  readonly shape: 'aspect_grid';
  readonly levels: Readonly<Record<string, number>>;
  readonly unspecified: string;
}

/** Small images cost one crop, others as many as cover them; or a fixed number, by level of resolution. */
export interface CropRule {
  readonly shape: 'crops';
  readonly cropTokens: number;
  readonly wholeUpToPx: number;
  readonly minCropPx: number;
  readonly maxCropPx: number;
  /** Levels that cost so much and no crops, and levels that cost so much more. */
  readonly fixedLevels: Readonly<Record<string, number>>;
  readonly addedLevels: Readonly<Record<string, number>>;
  /** The longest side that an unseen image is taken to have at most. */
  readonly assumedMaxSidePx: number;
}

export interface PdfRule extends DatedRule {
  readonly kind: 'pdf';
  /** A page as an image, by level of detail or resolution; `auto` names the level of none. */
  readonly pageTokens: Readonly<Record<string, number>>;
  readonly auto: string;
  /** How text counts beside; absent where it does not. Bounds are those of a page whose text was not read. */
  readonly pageText?: { readonly tokens: number; readonly high: number };
  /** Where citations are asked for, pages cost so much each, and text nothing beside. */
  readonly citedPageTokens?: number;
  /** Text of scanned pages is read and counts. */
  readonly readsScans?: boolean;
  /** More pages are refused. */
  readonly pageLimit?: number;
}

export interface AudioRule extends DatedRule {
  readonly kind: 'audio';
  readonly tokensPerSecond: number;
  /** In messages of the assistant, where that differs. */
  readonly assistantTokensPerSecond?: number;
  /** What audio of unknown length is taken to last at most. */
  readonly assumedMaxSeconds: number;
}

export interface VideoRule extends DatedRule {
  readonly kind: 'video';
  readonly frameTokens: Readonly<Record<string, number>>;
  readonly unspecified: string;
  readonly framesPerSecond: number;
  readonly audioTokensPerSecond: number;
  readonly assumedMaxSeconds: number;
}

/** Files that are read as text: plain text, and what text is taken out of. */
export interface TextRule extends DatedRule {
  readonly kind: 'text';
}
