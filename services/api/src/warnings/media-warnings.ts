import type { Accounting, AttachmentFigures } from '@preflight/accounting';
import type { CountResult, Warning } from '@preflight/contracts';

/** Warnings about attachments that could not be seen, and that the provider would not take. */
export function mediaWarnings(
  { attachments = [] }: Pick<CountResult, 'attachments'>,
  accounting: Accounting,
): Warning[] {
  const warnings: Warning[] = [];
  const refused = attachments.filter(({ provider }) => provider.tokens === null);
  if (refused.length > 0) {
    const reasons = new Set(refused.map(({ provider }) => (provider.tokens === null ? provider.error : '')));
    warnings.push({
      code: 'attachment_refused',
      detail: `The provider would refuse attachments in messages ${places(refused)}: ${[...reasons].join(', ')}.`,
    });
  }
  const taken = attachments.filter(({ provider }) => provider.tokens !== null);
  const isGuessed = ({ provider }: AttachmentFigures) =>
    accounting === 'provider' && provider.tokens !== null && provider.basis === 'bound';
  const unseen = taken.filter(
    (each) => isGuessed(each) && (each.unreadable === undefined || each.unreadable === 'not_here'),
  );
  const unreadable = taken.filter(
    (each) => isRefusedByAll(each) || (isGuessed(each) && !OF_ANOTHER_WARNING.has(each.unreadable)),
  );
  if (unseen.length > 0)
    warnings.push({
      code: 'attachment_unseen',
      detail: `Attachments in messages ${places(unseen)} are not here; they count as what is usual, and at most as \`high\`. State what is known of them in \`attachments\`.`,
    });
  if (unreadable.length > 0)
    warnings.push({
      code: 'attachment_unreadable',
      detail: `Attachments in messages ${places(unreadable)} cannot be read (${[...new Set(unreadable.map(reasonOf))].join(', ')})${unreadable.some(isGuessed) ? '; what is not known of them counts as what is usual, and at most as `high`' : ''}. The provider may refuse them (\`/v1/check\`).`,
    });
  return warnings;
}

/** Of these others tell: `attachment_unseen` and `empty_attachment`. */
const OF_ANOTHER_WARNING: ReadonlySet<AttachmentFigures['unreadable']> = new Set([
  undefined,
  'not_here',
  'empty',
]);

/** Whatever it counts as, no provider takes it. */
function isRefusedByAll({ unreadable }: AttachmentFigures): boolean {
  return unreadable === 'no_base64' || unreadable === 'other_kind';
}

function reasonOf({ unreadable }: AttachmentFigures): string {
  if (unreadable === 'no_base64') return 'no_base64: what stands in the place of the file is no base64';
  if (unreadable === 'other_kind')
    return 'other_kind: the file begins like one of another kind than is stated';
  return String(unreadable);
}

function places(figures: readonly AttachmentFigures[]): string {
  return [...new Set(figures.map(({ message }) => message))].slice(0, 20).join(', ');
}
