let stepNumber = 0;

/** Prints a numbered step with its details. */
export function sayStep(title: string, details: Readonly<Record<string, string>> = {}): void {
  stepNumber += 1;
  console.log(`\n${stepNumber}. ${title}`);
  for (const [name, value] of Object.entries(details)) console.log(`   ${name}: ${value}`);
}

/** The start of a long signature. */
export const shorten = (signature: string): string => `${signature.slice(0, 22)}...`;
