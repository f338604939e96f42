import Type from 'typebox';
import type { ErrorBody } from '../problems/refusal-for.js';
import { bracketedPlace, errorMessage } from './error-message.js';

/** An error as OpenAI writes it (count-endpoints.md §3), and as LiteLLM's proxy hands it on. */
export const openaiError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String({ examples: ['invalid_request_error', 'server_error'] }),
    param: Type.Union([Type.String(), Type.Null()], { examples: ['input[0].content'] }),
    code: Type.String({ description: 'Stable name of the error; `docs/errors.md` lists them.' }),
  }),
});

export const openaiErrorBody: ErrorBody = (error, { status }) => ({
  error: {
    message: errorMessage(error, bracketedPlace),
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    param: bracketedPlace(error.issues?.[0]?.pointer ?? '') || null,
    code: error.code === 'unsupported_option' ? 'unsupported_parameter' : error.code,
  },
});
