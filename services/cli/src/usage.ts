import { DEFAULT_STRATEGY, STRATEGIES, TRIM_MESSAGES } from '@preflight/core';
import { DEFAULT_FORMAT, FORMATS } from '@preflight/formats';

/** What was typed cannot be run; the message says why. Exit code 64 (EX_USAGE of sysexits). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Names with what they stand for, one a line. */
function listed(choices: Readonly<Record<string, { readonly description: string }>>): string {
  const nameWidth = Math.max(...Object.keys(choices).map((name) => name.length));
  return Object.entries(choices)
    .map(([name, { description }]) => `      ${name.padEnd(nameWidth)}  ${description.replaceAll('`', '')}`)
    .join('\n');
}

export const USAGE = `preflight: does this conversation fit, and if not, what is the smallest honest change?

Usage
  preflight serve       [--port N] [--host ADDRESS]   all in one process
  preflight api         [--port N] [--host ADDRESS]   takes requests; the work goes over a queue
  preflight coordinator [--port N] [--host ADDRESS]   does the work of the queue; health checks on the port
  preflight fit   FILE|- [options]
  preflight count FILE|- [options]
  preflight check FILE|- [options]                    would the provider take it as it stands?
  preflight batch FILE|- [--count] [--done RESULTS]   a call on each line; results as they come, one a line
  preflight models [NAME] [options]                   what is known of models, or of one by any of its names
  preflight calibrations [list] [--json]              what was learned of models from what their providers charged
  preflight calibrations add FILE|- [--json]          learn from usages; a body of /v1/calibrations on each line
  preflight calibrations reset NAME|--all             forget a model, or all
  preflight --version

FILE holds the body of the HTTP call of the same name (/v1/preflight, /v1/count, /v1/check), a request as it goes to a
provider, told by its shape, or just a list of messages; - reads it from standard input, and a named pipe will do.
Options given here win over those in the file.

batch reads the body of a call from each line, with an id of its own beside its fields. Lines whose ids stand in
RESULTS, which an earlier run has printed, are left out; so a run that was broken off is gone on with by
preflight batch FILE --done results >> results.

Options of fit, count and check
  --model NAME             model as the provider calls it; decides encoding, window, output limit and some rules
  --format NAME            what the file is written in; told from the shape of a provider's request, else ${DEFAULT_FORMAT}:
${listed(FORMATS)}
  --request                FILE is the provider's own request, whatever its shape
  --json                   print what the HTTP call answers

Options of fit and count
  --encoding NAME          encoding to count with, in place of the model's
  --count request|content  all that is sent (default), or text and attachments only
  --accounting NAME        payload: attachments count as the text that goes over the wire (default); provider: as what the
                           provider makes of them

Options of count
  --token-counter NAME     approximate: as langchain-core estimates without a tokenizer

Options of fit
  --context-window N       window in tokens, in place of the model's
  --budget N               most tokens of history, in place of the budget computed from the window
  --max-output N           output to ask for
  --min-output N           smallest acceptable output (64)
  --buffer N               safety margin in tokens (300)
  --max-bytes N            most bytes of the request as JSON (as many as it has)
  --strategy NAMES         what to do when less output is not enough, in order, with commas (${DEFAULT_STRATEGY}):
${listed({ ...STRATEGIES, [TRIM_MESSAGES.name]: TRIM_MESSAGES })}
  --trim-messages JSON     options of the last: {"max_tokens":100,"token_counter":"len"}
  --conversation           with --json: add the edited conversation

Options of check
  --repair                 add the least change that mends it, and what none could mend
  --conversation           with --json and --repair: add the repaired conversation

Options of models
  --provider NAME          who makes them
  --family NAME            models that share rules
  --window-type NAME       shared_sum, shared_soft, input_capped or separate
  --min-window N           with a window of so many tokens or more
  --search TEXT            with that in their ids
  --capability NAME        image, pdf, audio, video or reasoning
  --exact                  whose own encoding is known
  --json                   print what the HTTP call answers

Exit codes
  0   it fits, or is legal, or was made  69  the address cannot be listened on, or the store not used
  2   it cannot be made so, or is not    70  a bug of ours
  64  usage                              74  the output cannot be written
  65  no valid request, no such model    78  a setting is wrong
  66  the file cannot be read

Examples
  preflight fit conversation.json --model gpt-4.1-mini
  preflight fit messages.json --model gpt-4o --strategy drop_turns --json
  cat body.json | preflight fit - --context-window 8192 --max-output 1024
  preflight count conversation.json --encoding cl100k_base
  preflight serve --port 9000

What calibrations learn holds for the services and commands that share PREFLIGHT_DATA_DIR or Redis; a usage that is refused makes
exit code 65, one that teaches nothing 2, and all others are taken.

serve goes over the queue as well when PREFLIGHT_QUEUE_REDIS_URL is set; api and coordinator need it.
Settings (port, threads, limits, cache folder) are read from PREFLIGHT_… variables: docs/configuration.md.
`;
