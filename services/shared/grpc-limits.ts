/** The largest request is an 8 MiB body; its Markdown may be four times that and 64 KiB more. */
export const MAX_MESSAGE_BYTES = 40 * 1024 * 1024;
