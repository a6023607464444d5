/** A document was refused. There is no partial result. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly code: 'DOCUMENT_TOO_COMPLEX' | 'DOCUMENT_TOO_LARGE' | 'PLUGIN_FAILED';

  constructor(code: ConversionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
