import type { MediaRule } from '../media-rule.js';
import { IMAGE_RULES } from './image-rules.js';
import { PDF_RULES } from './pdf-rules.js';
import { TEXT_RULES } from './text-rules.js';
import { AUDIO_RULES, VIDEO_RULES } from './time-rules.js';

/** All rules of media, as they were known when `RULES_VERSION` was set. */
export const MEDIA_RULES: readonly MediaRule[] = [
  ...IMAGE_RULES,
  ...PDF_RULES,
  ...AUDIO_RULES,
  ...VIDEO_RULES,
  ...TEXT_RULES,
];
