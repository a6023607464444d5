type Part<Value> = Value extends (...parameters: never[]) => unknown ? Value : Partial<Value>;

/** A context of which a test needs some parts. */
export const contextOf = <Context extends object>(
  parts: {
    readonly [Name in keyof Context]?: Part<Context[Name]>;
  },
): Context => parts as Context;
