/** Major and minor, the latter of one or two digits: what is longer is a date. */
const VERSION = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2}))?(?!\d)/;

/** Whether a model refuses a last message of the assistant, as Claude does from 4.6 on (formats.md §3, November 2026). */
export function refusesPrefill(model: string | undefined): boolean {
  const [, major, minor = 0] = VERSION.exec(model?.toLowerCase() ?? '') ?? [];
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 6);
}
