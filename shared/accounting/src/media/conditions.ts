/** What beside a file decides its cost: how closely it is to be looked at, and where it stands. */
export interface MediaConditions {
  /** Of images and PDF files of OpenAI: `low`, `high`, `original`, `auto`. */
  readonly detail?: string;
  /** Of Gemini: `low`, `medium`, `high`, `ultra_high`, `unspecified`; also as `MEDIA_RESOLUTION_LOW`. */
  readonly mediaResolution?: string;
  /** Of images that a model for images edits: `low`, `high`. */
  readonly inputFidelity?: string;
  /** Who speaks in audio. */
  readonly role?: string;
  /** Frames a second that a video is looked at. */
  readonly fps?: number;
  /** Pages without text of their own. */
  readonly scanned?: boolean;
  readonly citations?: boolean;
  /** Images in the whole request, this one among them. */
  readonly imageCount?: number;
}

/** How closely a file is looked at, in the one word or the other. */
export function conditionsOfDetail(
  detail: string | undefined,
): Pick<MediaConditions, 'detail' | 'mediaResolution'> {
  if (detail === undefined) return {};
  return /^media_resolution_/i.test(detail) ? { mediaResolution: detail } : { detail };
}

/** The level of a rule that a word asks for; that of none where it is no level of the rule. */
export function levelOf<Level>(
  levels: Readonly<Record<string, Level>>,
  word: string | undefined,
  none: string,
): Level {
  const asked = word?.toLowerCase().replace(/^media_resolution_/, '') ?? none;
  return (Object.hasOwn(levels, asked) ? levels[asked] : levels[none]) as Level;
}
