import { element } from '../page/dom.ts';

// Adds a button to each block of code of a page. Browsers have no clipboard on plain HTTP of another machine.

const SHOWN_MS = 2_000;

if ('clipboard' in navigator) for (const block of document.querySelectorAll('pre')) addButton(block);

function addButton(block: HTMLPreElement): void {
  const button = element('button', { class: 'quiet', type: 'button' }, 'Copy');
  button.addEventListener('click', () => {
    const show = (word: string) => {
      button.textContent = word;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_MS);
    };
    navigator.clipboard.writeText(block.textContent ?? '').then(
      () => show('Copied'),
      () => show('Not allowed'),
    );
  });
  const frame = element('div', { class: 'code' });
  block.replaceWith(frame);
  frame.append(button, block);
}
