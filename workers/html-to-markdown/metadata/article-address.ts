const MAX_CHARACTERS = 500;
/** Folders of articles, and of other things. */
const ARTICLE_FOLDER = /^(?:blogs?|news|articles?|story|stories|posts?|magazine|insights|resources|(?:19|20)\d\d)$/i;
const OTHER_FOLDER =
  /^(?:collections?|categor(?:y|ies)|product-category|products?|p|c|cat|dp|itm|item|pd|pdp|sku|shop|market|browse|tags?|search|listing)$/i;
/** Hyphens in a name that is a title. In a folder of articles, fewer are enough. */
const LEAST_HYPHENS = 5;
const LEAST_HYPHENS_IN_FOLDER = 3;

/** Whether the path of a page ends with a title in words, as those of articles do. */
export function isArticleAddress(address: string): boolean {
  const [path = ''] = address.slice(0, MAX_CHARACTERS).split(/[?#]/);
  const folders = path
    .replace(/^\w+:\/\/[^/]*/, '')
    .split('/')
    .filter((name) => name !== '');
  const name = folders.pop();
  if (name === undefined || folders.some((folder) => OTHER_FOLDER.test(folder))) return false;
  const hyphens = name.split('-').length - 1;
  const isInFolder = folders.some((folder) => ARTICLE_FOLDER.test(folder));
  return hyphens >= (isInFolder ? LEAST_HYPHENS_IN_FOLDER : LEAST_HYPHENS);
}
