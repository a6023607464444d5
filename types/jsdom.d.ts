declare module 'jsdom' {
  export class VirtualConsole {}

  export class JSDOM {
    constructor(html: string, options?: { readonly virtualConsole?: VirtualConsole });
    readonly window: { readonly document: Document; close(): void };
  }
}
