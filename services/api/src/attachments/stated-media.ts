import type { MediaConditions, StatedMedia } from '@preflight/accounting';
import type { AttachmentFacts } from '@preflight/contracts';
import { type Issue, type MediaFacts, type MediaKind, PreflightError } from '@preflight/core';

/** Where facts stand in the request, without a slash at the end. */
type Place = string;

/** The facts in an entry of `attachments`. Throws `invalid_request` for facts that are of no one kind, or of half a thing. */
export function readStated(stated: AttachmentFacts, place: Place): StatedMedia {
  const kind = stated.kind ?? kindOf(stated);
  const issues = strangeFields(stated, kind, place);
  if (issues.length > 0)
    throw new PreflightError('invalid_request', {
      publicDetail: `Facts about an attachment: ${issues[0]?.pointer} ${issues[0]?.detail}.`,
      issues,
    });
  return { kind, facts: factsOf(stated, kind), conditions: conditionsOf(stated) };
}

const FIELDS: Readonly<Record<MediaKind, readonly (keyof AttachmentFacts)[]>> = {
  image: ['width', 'height'],
  pdf: ['pages', 'text_tokens'],
  audio: ['seconds'],
  video: ['seconds', 'audio'],
  text: ['text_tokens'],
};

const FACTS = ['width', 'height', 'pages', 'text_tokens', 'seconds', 'audio'] as const;

function kindOf(stated: AttachmentFacts): MediaKind | undefined {
  if (stated.width !== undefined || stated.height !== undefined) return 'image';
  if (stated.pages !== undefined) return 'pdf';
  if (stated.audio !== undefined || stated.fps !== undefined) return 'video';
  if (stated.seconds !== undefined) return 'audio';
  return stated.text_tokens === undefined ? undefined : 'text';
}

function strangeFields(stated: AttachmentFacts, kind: MediaKind | undefined, place: Place): Issue[] {
  const own = kind === undefined ? [] : FIELDS[kind];
  const strange = FACTS.filter((name) => stated[name] !== undefined && !own.includes(name));
  const issues = strange.map((name) => ({
    pointer: `${place}/${name}`,
    detail: `is no fact of kind ${kind}`,
  }));
  const missing = MISSING_BESIDE.filter(
    ([given, needed]) => own.includes(needed) && stated[given] !== undefined && stated[needed] === undefined,
  );
  return [
    ...issues,
    ...missing.map(([given, needed]) => ({
      pointer: `${place}/${needed}`,
      detail: `is needed beside ${given}`,
    })),
  ];
}

/** Facts that say nothing without another one. */
const MISSING_BESIDE = [
  ['width', 'height'],
  ['height', 'width'],
  ['text_tokens', 'pages'],
  ['audio', 'seconds'],
] as const;

function factsOf(stated: AttachmentFacts, kind: MediaKind | undefined): MediaFacts | undefined {
  const { width, height, pages, text_tokens: textTokens, seconds, audio: hasAudio } = stated;
  if (kind === 'image' && width !== undefined && height !== undefined)
    return { kind, widthPx: width, heightPx: height };
  if (kind === 'pdf' && pages !== undefined)
    return { kind, pages, ...(textTokens !== undefined && { textTokens }) };
  if (kind === 'audio' && seconds !== undefined) return { kind, seconds };
  if (kind === 'video' && seconds !== undefined)
    return { kind, seconds, ...(hasAudio !== undefined && { hasAudio }) };
  if (kind === 'text' && textTokens !== undefined) return { kind, textTokens };
  return undefined;
}

function conditionsOf(stated: AttachmentFacts): MediaConditions {
  const { detail, media_resolution, input_fidelity, role, fps, scanned, citations } = stated;
  return {
    ...(detail !== undefined && { detail }),
    ...(media_resolution !== undefined && { mediaResolution: media_resolution }),
    ...(input_fidelity !== undefined && { inputFidelity: input_fidelity }),
    ...(role !== undefined && { role }),
    ...(fps !== undefined && { fps }),
    ...(scanned !== undefined && { scanned }),
    ...(citations !== undefined && { citations }),
  };
}
