// Which splitting pattern this module is built for; the build gives PATTERN as a constant (asc --use).

export const GPT2: i32 = 1;
export const CL100K: i32 = 2;
export const O200K: i32 = 3;

// @ts-ignore: constant of the build
export const IS_GPT2: bool = PATTERN == GPT2;
// @ts-ignore: constant of the build
export const IS_CL100K: bool = PATTERN == CL100K;
// @ts-ignore: constant of the build
export const IS_O200K: bool = PATTERN == O200K;
