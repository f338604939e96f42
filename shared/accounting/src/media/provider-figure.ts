import type { MediaFacts, MediaKind } from '@preflight/core';
import type { MediaConditions } from './conditions.js';
import { imageFigure, unseenImageFigure } from './image-figure.js';
import { bounded, figureOf, type MediaFigure } from './media-figure.js';
import { pdfFigure, unseenPdfFigure } from './pdf-figure.js';
import type { ModelRules } from './rules-for-model.js';
import { audioFigure, videoFigure } from './time-figure.js';

/**
 * What a provider makes of a file, by the rules of its model. What could not be read or seen (`unreadable`) is never
 * nothing: it costs what is usual for its kind, and at most what the largest does.
 */
export function providerFigure(
  facts: MediaFacts,
  rules: ModelRules,
  conditions: MediaConditions,
): MediaFigure {
  switch (facts.kind) {
    case 'image':
      return imageFigure(rules.image, { width: facts.widthPx, height: facts.heightPx }, conditions);
    case 'pdf':
      return pdfFigure(rules.pdf, facts, conditions);
    case 'audio':
      return audioFigure(rules.audio, facts.seconds, conditions);
    case 'video':
      return videoFigure(rules.video, facts.seconds, facts.hasAudio, conditions);
    case 'text':
      return figureOf(rules.text, { tokens: facts.textTokens });
    case 'unreadable':
      return unseenFigure(facts.as, rules, conditions);
  }
}

/** Of a text of unknown length. */
const ASSUMED_TEXT = { tokens: 10_000, low: 1, high: 1_000_000 };

/** What is of no known kind is taken for a document. */
function unseenFigure(
  kind: MediaKind | undefined,
  rules: ModelRules,
  conditions: MediaConditions,
): MediaFigure {
  switch (kind) {
    case 'image':
      return unseenImageFigure(rules.image, conditions);
    case 'audio':
      return audioFigure(rules.audio, undefined, conditions);
    case 'video':
      return videoFigure(rules.video, undefined, undefined, conditions);
    case 'text':
      return bounded(rules.text, ASSUMED_TEXT);
    default:
      return unseenPdfFigure(rules.pdf, conditions);
  }
}
