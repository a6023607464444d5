/** Digits of a word of the Solidity ABI: 32 bytes. */
export const WORD_DIGITS = 64;

/** Hexadecimal text of at most 32 bytes with 0x, such as an address, as the lower-case digits of a word. */
export const hexWord = (hex: string): string => hex.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');

/** The digits of a number that is not negative. */
export const numberWord = (value: bigint | number): string => value.toString(16).padStart(WORD_DIGITS, '0');
