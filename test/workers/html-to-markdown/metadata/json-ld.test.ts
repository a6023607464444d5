import test from 'ava';
import { readLinkedData } from '../../../../workers/html-to-markdown/metadata/json-ld.ts';

function read(...values: readonly unknown[]) {
  return readLinkedData(values.map((value) => JSON.stringify(value)));
}

function namesOf(...values: readonly unknown[]) {
  return read(...values).authors.map(({ name }) => name);
}

const article = (author: unknown) => ({ '@type': 'Article', headline: 'Gates', author });

test('authors are strings, things, or several of them', (t) => {
  t.deepEqual(namesOf(article('Ada Lane')), ['Ada Lane']);
  t.deepEqual(namesOf(article({ '@type': 'Person', name: 'Ada Lane' })), ['Ada Lane']);
  t.deepEqual(namesOf(article([{ name: 'Ada Lane' }, 'Bo Kerr', 7, null])), ['Ada Lane', 'Bo Kerr']);
  t.deepEqual(namesOf(article({ name: ['Ada Lane', 'Bo Kerr'] })), ['Ada Lane', 'Bo Kerr']);
});

test('an author is found by its id in the graph, also in another script', (t) => {
  const person = { '@type': 'Person', '@id': '#ada', name: 'Ada Lane' };
  t.deepEqual(namesOf({ '@graph': [article({ '@id': '#ada' }), person] }), ['Ada Lane']);
  t.deepEqual(namesOf(article({ '@id': '#ada' }), person), ['Ada Lane']);
});

test('ids that lead to each other, to themselves or nowhere give no author', (t) => {
  const circle = [
    { '@type': 'Person', '@id': '#a', author: { '@id': '#b' } },
    { '@type': 'Person', '@id': '#b', author: { '@id': '#a' } },
  ];
  t.deepEqual(namesOf({ '@graph': [article({ '@id': '#a' }), ...circle] }), []);
  t.deepEqual(namesOf({ '@id': '#c', ...article({ '@id': '#c' }) }), []);
  t.deepEqual(namesOf(article({ '@id': '#nowhere' })), []);
});

test('people and organizations are distinguished', (t) => {
  const { authors } = read(
    article([{ '@type': 'Person', name: 'A' }, { '@type': ['NewsMediaOrganization'], name: 'B' }, 'C']),
  );
  t.deepEqual(
    authors.map(({ kind }) => kind),
    ['person', 'organisation', 'unknown'],
  );
});

test('authors of reviews and answers are not authors of the page', (t) => {
  const review = { '@type': 'Review', author: { name: 'Someone' } };
  t.deepEqual(namesOf({ '@type': 'Product', name: 'Gate', review: [review] }), []);
  t.deepEqual(namesOf({ '@type': 'Product', name: 'Gate' }, review), []);
  const question = { '@type': 'Question', name: 'Why?', author: { name: 'Asker' } };
  const page = { '@type': 'QAPage', mainEntity: { ...question, acceptedAnswer: { author: { name: 'Answerer' } } } };
  t.deepEqual(namesOf(page), ['Asker']);
});

test('a list of frequent questions is not a thread', (t) => {
  const data = read({ '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Why?' }] });
  t.is(data.threads, 0);
  t.is(data.headline, null);
});

test('the headline is that of the article, or else the name of the product', (t) => {
  const product = { '@type': 'https://schema.org/Product', name: 'A gate' };
  t.is(read(product, article('A')).headline, 'Gates');
  t.is(read(product).headline, 'A gate');
  t.is(read({ '@type': 'Organization', name: 'Toll Ltd' }).headline, null);
});

test('the names of the site are those of its organization and publisher', (t) => {
  const site = { '@type': 'WebSite', name: 'Toll News' };
  const publisher = { '@type': 'Organization', name: 'Toll Ltd' };
  t.deepEqual(read({ ...article('A'), publisher, isPartOf: site }).siteNames, ['Toll Ltd', 'Toll News']);
  t.deepEqual(read({ '@type': ['Person', 'Organization'], name: 'Ada Lane' }).siteNames, []);
});

test('__proto__ in the data is an ordinary property', (t) => {
  const script =
    '{"@type":"Article","headline":"Gates","__proto__":{"author":"Eve","polluted":true},"constructor":{"name":"x"}}';
  const data = readLinkedData([script]);
  t.is(data.headline, 'Gates');
  t.deepEqual(data.authors, []);
  t.false('polluted' in {});
  t.deepEqual(readLinkedData(['{"__proto__":null,"@type":"Article","author":"Ada"}']).authors.length, 1);
});

test('values of other types than the vocabulary has are ignored', (t) => {
  for (const value of [null, 1, true, [], {}, [[]], ['x'], { '@type': 5 }, { '@type': [null, {}] }]) {
    t.deepEqual(namesOf(value), []);
    t.deepEqual(namesOf(article(value)), Array.isArray(value) && value[0] === 'x' ? ['x'] : []);
    t.is(read({ '@type': 'Article', headline: value, name: value }).headline, null);
  }
});

test('excessive nesting, length and number are read up to the limits, or not at all', (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deepGraph = `${'{"@graph":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const broken = '{"a":'.repeat(50_000);
  t.deepEqual(readLinkedData([deep, deepGraph, broken]).authors, []);
  const many = Array.from({ length: 3000 }, () => ({ '@type': 'WebPage' }));
  t.deepEqual(namesOf([...many, article('Late')]), []);
  t.is(namesOf(article(Array.from({ length: 500 }, (_, index) => `Author ${index}`))).length, 20);
  t.deepEqual(namesOf({ ...article('Ada Lane'), text: 'x'.repeat(300_000) }), []);
  t.deepEqual(namesOf('x'.repeat(250_000), 'x'.repeat(250_000), { pad: 'x'.repeat(50_000) }, article('Ada')), []);
});
