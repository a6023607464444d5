import test from 'ava';
import { cleanName, findName } from '../../../../workers/html-to-markdown/metadata/byline-text.ts';

/** A byline, and the names in it, as machines state it and as readers see it. */
const NAMES: readonly (readonly [byline: string, name: string])[] = [
  ['Von Max Mustermann', 'Max Mustermann'],
  ['von Max Mustermann', 'Max Mustermann'],
  ['VON MAX MUSTERMANN', 'MAX MUSTERMANN'],
  ['Von Anna von der Heide', 'Anna von der Heide'],
  ['Von J. Müller und Eva Roth', 'J. Müller und Eva Roth'],
  ['Von: Jan Peters', 'Jan Peters'],
  ['Par Jean Dupont', 'Jean Dupont'],
  ['par Jean Dupont', 'Jean Dupont'],
  ['Por María Pérez', 'María Pérez'],
  ['Por: Ana Gil', 'Ana Gil'],
  ['Di Marco Rossi', 'Marco Rossi'],
  ['Da Marco Rossi', 'Marco Rossi'],
  ['Door Jan de Vries', 'Jan de Vries'],
  ['Av Ola Nordmann', 'Ola Nordmann'],
  ['Af Lars Jensen', 'Lars Jensen'],
  ['Från Anna Lind', 'Anna Lind'],
  ['Autor: Max Mustermann', 'Max Mustermann'],
  ['Auteur : Jean Dupont', 'Jean Dupont'],
  ['Tekst: Ola Nordmann', 'Ola Nordmann'],
  ['Text Anna Lind', 'Anna Lind'],
  ['Text und Fotos: Max Muster', 'Max Muster'],
  ['Text: Anna Lind, Foto: Bo Ek', 'Anna Lind'],
  ['Aufgezeichnet von Max Muster', 'Max Muster'],
  ['Écrit par Jean Dupont', 'Jean Dupont'],
  ['Автор: Иван Иванов', 'Иван Иванов'],
  ['Автор текста: Иван Иванов', 'Иван Иванов'],
  ['Автор Иван Иванов', 'Иван Иванов'],
  ['Текст: Иван Иванов', 'Иван Иванов'],
  ['Yazan: Ayşe Yılmaz', 'Ayşe Yılmaz'],
  ['作者：张三', '张三'],
  ['作者张三', '张三'],
  ['文/王小明', '王小明'],
  ['記者王小明／台北報導', '王小明'],
  ['글 김철수', '김철수'],
  ['글·사진 김철수', '김철수'],
  ['김철수 기자', '김철수'],
  ['بقلم محمد علي', 'محمد علي'],
  ['بقلم: محمد علي', 'محمد علي'],
  ['Words by Ada Lane', 'Ada Lane'],
  ['Written by Ada Lane', 'Ada Lane'],
  ['Story by Ada Lane', 'Ada Lane'],
  // Names that begin like labels, or have such words.
  ['Von Miller', 'Von Miller'],
  ['Di Canio', 'Di Canio'],
  ['Da Vinci', 'Da Vinci'],
  ['Ludwig van Beethoven', 'Ludwig van Beethoven'],
  ['Ursula von der Leyen', 'Ursula von der Leyen'],
  ['Avery Brooks', 'Avery Brooks'],
  ['Dale Carnegie', 'Dale Carnegie'],
  ['Byron Vonnegut', 'Byron Vonnegut'],
  ['Vonda Parker', 'Vonda Parker'],
  // Initials, and words that also have another meaning.
  ['By Jonathan V. Last', 'Jonathan V. Last'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['By Ursula K. Le Guin', 'Ursula K. Le Guin'],
  ['Martin Luther King Jr.', 'Martin Luther King Jr.'],
  ['By Martin Luther King, Jr.', 'Martin Luther King, Jr.'],
  ['By John D.', 'John D.'],
  // Agencies.
  ['By John Smith, Associated Press', 'John Smith'],
  ['By John Smith, AP', 'John Smith'],
  ['John Smith, The Toll Appeal', 'John Smith'],
  ['John Smith | Reuters', 'John Smith'],
  ['John Smith - Bloomberg News', 'John Smith'],
  ['Ana Gil / EFE', 'Ana Gil'],
  ['Anna Lind, dpa', 'Anna Lind'],
  ['Ada Lane (AFP)', 'Ada Lane'],
  ['John Smith for CNN', 'John Smith'],
  ['By John Smith of The Associated Press', 'John Smith'],
  ['By John Smith and Jane Doe, Associated Press', 'John Smith and Jane Doe'],
  ['John Smith Jr., Reuters', 'John Smith Jr.'],
  ['By Reuters', 'Reuters'],
  ['Associated Press', 'Associated Press'],
  ['School of Media', 'School of Media'],
  ['By Ada Lane, Bo Kerr and Cy Moor', 'Ada Lane, Bo Kerr and Cy Moor'],
  ['By Eyal Press, Emily Post', 'Eyal Press, Emily Post'],
];

for (const [byline, name] of NAMES) {
  test(`the name in "${byline}" is ${name}`, (t) => {
    t.is(cleanName(byline), name);
    t.is(findName(byline)?.name, name);
  });
}

for (const byline of ['By Ada Lane Last updated May 3, 2020', 'Ada Lane. Last reviewed in May', 'Ada Lane.']) {
  test(`the name for readers in "${byline}" is Ada Lane`, (t) => {
    t.is(findName(byline)?.name, 'Ada Lane');
  });
}

test('long bylines are read in linear time', (t) => {
  for (const piece of ['von ', 'Von A', ', ', ' - ', '.', 'текст ', '글', ' of the', '／台']) {
    t.notThrows(() => findName(piece.repeat(200_000)));
  }
});
