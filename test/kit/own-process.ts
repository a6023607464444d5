/** Gives a test file a process of its own. Files that need no such process share one. @param reason why */
export function ownProcess(_reason: string): void {}
