/** Why a document was refused. No partial result comes with it. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly code: 'DOCUMENT_TOO_COMPLEX' | 'DOCUMENT_TOO_LARGE';

  constructor(code: ConversionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
