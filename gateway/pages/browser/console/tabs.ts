const KEY = 'tollhouse-quickstart';

/** Shows the tab that was chosen last, on the pages of all operations, and remembers the next choice. */
export function keepTab(): void {
  for (const tab of document.querySelectorAll<HTMLInputElement>('.tabs > input')) {
    if (tab.id === kept()) tab.checked = true;
    tab.addEventListener('change', () => keep(tab.id));
  }
}

/** A browser may deny the storage. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // The tab is shown all the same.
  }
}
