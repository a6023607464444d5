import { page, prose, type Wanted } from './kinds.ts';

/** An input with its id, whose letter is the kind. */
export type Kept = readonly [id: string, what: string, html: string, wanted: Wanted];

const OPEN_GRAPH_ARTICLE = '<meta property="og:type" content="article">';
const OPEN_GRAPH_PRODUCT = '<meta property="og:type" content="product">';
const SITE_FRAME = [
  'Harbor TV guide',
  'Seals on the slipway',
  'Wrecks worth a dive',
  'Send me letters',
  'We set cookies',
  'Imprint of the Post',
];
const SHOP_FRAME = ['Your basket is empty', 'Brass cleat', 'Pay by invoice', 'Ten percent off', 'We set cookies'];
const DOCS_FRAME = ['Search the manual', 'Chapter on anchors', 'Was this page helpful', 'Made with a generator'];

/** A page of a news site or blog. `main` is its main part, with its tag. */
function site(main: string, title = 'The storm of May', head = OPEN_GRAPH_ARTICLE): string {
  return page(
    `<header class="site-header"><a class="logo" href="/"><img src="/logo.svg" alt="Harbor Post"></a><nav class="main-navigation"><ul><li><a href="/news">News</a></li><li><a href="/tv">Harbor TV guide</a></li></ul></nav></header>
    <div id="content" class="site-content">${main}
    <aside id="secondary" class="widget-area"><section class="widget widget_recent_entries"><h2 class="widget-title">Recent entries</h2><ul><li><a href="/seals">Seals on the slipway</a></li><li><a href="/ice">Ice in the basin</a></li></ul></section></aside></div>
    <section class="related-posts"><h3>More from the Post</h3><div class="card"><a href="/wrecks"><img src="/w.jpg" alt=""><h4>Wrecks worth a dive</h4></a></div><div class="card"><a href="/mole"><img src="/m.jpg" alt=""><h4>A mole and its keeper</h4></a></div></section>
    <div class="newsletter-signup"><h3>Letters from the quay</h3><form action="/join"><input type="email" name="mail"><button>Send me letters</button></form></div>
    <footer class="site-footer"><ul><li><a href="/imprint">Imprint of the Post</a></li><li><a href="/privacy">Privacy</a></li></ul></footer>
    <div class="cookie-notice" role="dialog" aria-label="Cookies"><p>We set cookies to count visits.</p><button>Accept</button></div>`,
    { title, head },
  );
}

/** A page of a shop. */
function shop(main: string, title = 'Mooring line 20 m', head = OPEN_GRAPH_PRODUCT): string {
  return page(
    `<div class="announcement-bar" role="region" aria-label="Announcement"><a href="/sale">Ten percent off all anchors</a></div>
    <header class="header"><a href="/">Quay Chandler</a><nav><ul><li><a href="/ropes">Ropes</a></li><li><a href="/sails">Sails</a></li></ul></nav><div class="minicart"><p>Your basket is empty</p></div></header>
    ${main}
    <section class="product-recommendations"><h2>You may also like</h2><ul class="grid"><li class="card"><a href="/cleat"><img src="/cleat.jpg" alt=""><h3>Brass cleat</h3></a><span class="price">9.00 €</span></li><li class="card"><a href="/buoy"><img src="/buoy.jpg" alt=""><h3>Red buoy</h3></a><span class="price">19.00 €</span></li></ul></section>
    <footer class="footer"><h4>Service</h4><ul><li><a href="/pay">Pay by invoice</a></li><li><a href="/returns">Returns</a></li></ul></footer>
    <div id="cookie-banner" class="cookie-banner"><p>We set cookies. <a href="/privacy">Privacy</a></p><button>Accept</button></div>`,
    { title, head },
  );
}

/** A page of a manual. */
function docs(main: string, title = 'Ropes'): string {
  return page(
    `<header class="navbar"><a href="/">Sea manual</a><form role="search"><input placeholder="Search the manual" aria-label="Search the manual"></form></header>
    <nav class="sidebar"><ul><li><a href="/anchors">Chapter on anchors</a></li><li><a href="/sails">Chapter on sails</a></li></ul></nav>
    ${main}
    <div class="feedback"><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>
    <footer><p>Made with a generator</p></footer>`,
    { title },
  );
}

const A_PARTS: readonly Kept[] = [
  [
    'a1',
    'the pages of an article that are joined, each in its own section',
    site(
      `<main><article><h1>The storm of May</h1><section class="article-page" data-page="1">${prose(5)}</section><div class="ad" id="ad-2">Advertisement</div><section class="article-page" data-page="2">${prose(1, 6)}<p>The chain broke at four.</p></section></article></main>`,
    ),
    {
      has: ['It burned oil until', 'Two ferries share the crossing', 'The chain broke at four.'],
      not: [...SITE_FRAME, 'Advertisement'],
    },
  ],
  [
    'a2',
    'the card of a recipe plugin after its story',
    site(
      `<main><article class="post"><h1 class="entry-title">Flat bread of Kelm</h1><div class="entry-content">${prose(5)}<div class="wprm-recipe-container" id="recipe"><div class="wprm-recipe wprm-recipe-template-basic"><h2 class="wprm-recipe-name">Flat bread</h2><div class="wprm-recipe-time-container"><span class="wprm-recipe-details-label">Prep Time</span> <span class="wprm-recipe-details">10</span> <span class="wprm-recipe-details-unit">minutes</span></div><div class="wprm-recipe-ingredients-container"><h3 class="wprm-recipe-header">Ingredients</h3><ul class="wprm-recipe-ingredients"><li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-amount">500</span> <span class="wprm-recipe-ingredient-unit">g</span> <span class="wprm-recipe-ingredient-name">rye flour</span></li><li class="wprm-recipe-ingredient"><span class="wprm-recipe-ingredient-amount">1</span> <span class="wprm-recipe-ingredient-name">egg</span></li></ul></div><div class="wprm-recipe-instructions-container"><h3>Instructions</h3><ul class="wprm-recipe-instructions"><li><div class="wprm-recipe-instruction-text">Knead until smooth.</div></li><li><div class="wprm-recipe-instruction-text">Bake on a hot stone.</div></li></ul></div><div class="wprm-recipe-notes-container"><h3>Notes</h3><div class="wprm-recipe-notes">Keeps for a week.</div></div><div class="wprm-nutrition-label-container">Calories: 210kcal</div></div></div></div></article></main>`,
      'Flat bread of Kelm',
    ),
    { has: ['500 g rye flour', 'Knead until smooth.', 'Keeps for a week.', '210kcal', '10 minutes'], not: SITE_FRAME },
  ],
  [
    'a3',
    'date, price and place of an event around its text',
    site(
      `<main id="tribe-events"><div class="tribe-events-single"><h1 class="tribe-events-single-event-title">Night of the lamps</h1><div class="tribe-events-schedule"><h2>May 4 @ 7:00 pm - 11:00 pm</h2> <span class="tribe-events-cost">12 €</span></div><div class="tribe-events-single-event-description">${prose(4)}</div><div class="tribe-events-single-section tribe-events-event-meta"><div class="tribe-events-meta-group tribe-events-meta-group-details"><h2>Details</h2><dl><dt>Date:</dt><dd>May 4</dd><dt>Doors:</dt><dd>6:30 pm</dd></dl></div><div class="tribe-events-meta-group tribe-events-meta-group-venue"><h2>Venue</h2><dl><dd class="tribe-venue">Old customs house</dd><dd class="tribe-address">3 Quay Road, Kelm</dd></dl></div></div></div></main>`,
      'Night of the lamps',
    ),
    { has: ['May 4 @ 7:00 pm', '12 €', '6:30 pm', 'Old customs house', '3 Quay Road'], not: SITE_FRAME },
  ],
  [
    'a4',
    'team, place, pay and way to apply of a job',
    page(
      `<div class="main-header page-full-width section-wrapper"><a class="main-header-logo" href="/"><img src="/l.png" alt="Sea logo"></a></div><div class="content-wrapper posting-page"><div class="content"><div class="section-wrapper accent-section page-full-width"><div class="section page-centered posting-header"><div class="posting-headline"><h2>Lamp engineer</h2><div class="posting-categories"><div class="sort-by-time posting-category medium-category-label location">Kelm, Iceland /</div><div class="posting-category medium-category-label department">Lights</div><div class="posting-category commitment">Full-time</div></div></div><a class="postings-btn template-btn-submit" href="/apply">Apply for this job</a></div></div><div class="section-wrapper page-full-width"><div class="section page-centered" data-qa="job-description">${prose(4)}</div><div class="section page-centered"><div><h3>What you bring</h3><ul class="posting-requirements plain-list"><ul><li>A head for heights</li><li>Two winters at sea</li></ul></ul></div></div><div class="section page-centered" data-qa="salary-range"><h3>Pay</h3><p>€ 48,000 - € 55,000 a year</p></div><div class="section page-centered" data-qa="closing-description"><div>Write until June 1.</div></div></div></div></div><div class="main-footer page-full-width"><div class="main-footer-text page-centered"><p><a href="/">Sea home page</a></p></div></div>`,
      { title: 'Sea - Lamp engineer' },
    ),
    {
      has: ['Kelm, Iceland', 'Full-time', 'A head for heights', '€ 48,000', 'Write until June 1.'],
      not: ['Sea home page'],
    },
  ],
  [
    'a5',
    'key facts and data of a house for sale',
    site(
      `<main><section class="listing-header"><h1>House above the quay</h1><address>7 Lamp Lane, Kelm</address><p class="listing-price">410,000 €</p></section><ul class="key-facts"><li><b>4</b> rooms</li><li><b>118 m²</b> living area</li></ul><section class="listing-description"><h2>Description</h2>${prose(4)}</section><section class="listing-energy"><h2>Energy</h2><dl><dt>Class</dt><dd>C</dd><dt>Heating</dt><dd>Heat pump</dd></dl></section><section class="listing-features"><h2>Features</h2><ul><li>Own mooring</li><li>Cellar of rock</li></ul></section></main>`,
      'House above the quay',
      '',
    ),
    { has: ['7 Lamp Lane', '410,000 €', '118 m²', 'Heat pump', 'Own mooring'], not: SITE_FRAME },
  ],
  [
    'a6',
    'credits, assessment and timetable of a course at a university',
    site(
      `<main id="main-content"><div class="course-hero"><h1>NAV 201: Charts and tides</h1><p class="course-subtitle">Undergraduate, level 2</p></div><div class="course-facts"><dl><dt>Credits</dt><dd>7.5 ECTS</dd><dt>Term</dt><dd>Autumn</dd></dl></div><div class="course-text">${prose(4)}</div><div class="accordion"><div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button" aria-expanded="false">Assessment</button></h3><div class="accordion-collapse collapse"><div class="accordion-body">Oral examination of 30 minutes.</div></div></div></div><div class="timetable-wrapper"><h2>Timetable</h2><table><thead><tr><th>Day</th><th>Room</th></tr></thead><tbody><tr><td>Monday</td><td>B 12</td></tr></tbody></table></div></main>`,
      'NAV 201: Charts and tides',
      '',
    ),
    {
      has: ['7.5 ECTS', 'Assessment', 'Oral examination of 30 minutes.', '| Monday | B 12 |', 'level 2'],
      not: SITE_FRAME,
    },
  ],
  [
    'a7',
    'the box with dates and the contact of a page of a government',
    page(
      `<a href="#content" class="govuk-skip-link">Skip to main content</a><header class="govuk-header" role="banner"><a href="/">GOV of Kelm</a></header><div class="govuk-width-container"><div class="govuk-breadcrumbs"><ol><li><a href="/">Home</a></li></ol></div><main id="content" class="govuk-main-wrapper"><h1 class="govuk-heading-xl">Get a mooring permit</h1><div class="app-c-important-metadata"><dl><dt>Opening date:</dt><dd>1 March 2024</dd><dt>Fee:</dt><dd>£35</dd></dl></div><div class="gem-c-govspeak govuk-govspeak">${prose(4)}</div><div class="gem-c-contact"><h2>Who to ask</h2><p>Harbor office<br>Telephone: 0300 123 456</p></div><aside class="gem-c-inset-text"><p>You must pay within 14 days.</p></aside></main><div class="gem-c-contextual-sidebar"><h2>Related content</h2><nav><ul><li><a href="/anchor">Report an anchor</a></li></ul></nav></div></div><footer class="govuk-footer"><p>Crown of Kelm copyright</p></footer>`,
      { title: 'Get a mooring permit - GOV' },
    ),
    {
      has: ['1 March 2024', '£35', 'Telephone: 0300 123 456', 'You must pay within 14 days.'],
      not: ['Report an anchor', 'Crown of Kelm', 'Skip to main'],
    },
  ],
  [
    'a8',
    'the headline and the box with facts of a news article',
    site(
      `<div class="article-hero"><h1>The storm of May</h1><p class="standfirst">Three boats are missing, and the mole is broken.</p></div><article class="article-body">${prose(3)}<div class="factbox"><h3>The storm in numbers</h3><ul><li>9 m: highest wave</li><li>140 km/h: strongest gust</li></ul></div>${prose(2, 4)}</article>`,
    ),
    { has: ['# The storm of May', 'Three boats are missing', '140 km/h: strongest gust'], not: SITE_FRAME },
  ],
  [
    'a9',
    'the panel with data of a wiki',
    page(
      `<header class="fandom-community-header"><a href="/">Sea wiki</a><nav><ul><li><a href="/explore">Explore the wikis</a></li></ul></nav></header><main class="page__main"><h1 class="page-header__title">Kelm</h1><div id="content" class="page-content"><div class="mw-parser-output"><aside class="portable-infobox pi-background" role="region"><h2 class="pi-item pi-title">Kelm</h2><div class="pi-item pi-data"><h3 class="pi-data-label">Inhabitants</h3><div class="pi-data-value">4,212</div></div><div class="pi-item pi-data"><h3 class="pi-data-label">Founded</h3><div class="pi-data-value">1214</div></div></aside>${prose(4)}<h2>Trade</h2><p>Cod and rope.</p></div></div></main><aside class="page__right-rail"><section class="rail-module"><h2>Popular pages</h2><ul><li><a href="/arn">Arn the fair</a></li></ul></section></aside><footer class="global-footer"><a href="/ads">Media kit</a></footer>`,
      { title: 'Kelm | Sea wiki' },
    ),
    { has: ['4,212', 'Founded', '1214', 'Cod and rope.'], not: ['Explore the wikis', 'Arn the fair', 'Media kit'] },
  ],
  [
    'a10',
    'the sections of a landing page in rows of their own',
    site(
      `<main><section class="hero"><h1>Rope course</h1><p>Learn to twist a line in a weekend.</p></section><section class="wp-block-group alignfull">${prose(3)}</section><section class="wp-block-columns"><div class="wp-block-column"><h3>Days</h3><p>Saturday and Sunday</p></div><div class="wp-block-column"><h3>Price</h3><p>180 € with lunch</p></div></section><section class="wp-block-group faq"><h2>Questions</h2><h3>Do I need gloves?</h3><p>Yes, of leather.</p></section></main>`,
      'Rope course',
      '',
    ),
    { has: ['Learn to twist a line', 'Saturday and Sunday', '180 € with lunch', 'Yes, of leather.'], not: SITE_FRAME },
  ],
  [
    'a11',
    'a live blog with short entries after its summary',
    site(
      `<main><article><h1>The storm of May</h1><div class="live-summary"><h2>Summary</h2>${prose(3)}</div><div class="live-feed"><div class="live-entry" id="e2"><time datetime="2024-05-01T14:10">14:10</time><h3>Ferry turns back</h3><p>All forty are safe.</p></div><div class="live-entry" id="e1"><time datetime="2024-05-01T13:55">13:55</time><h3>Horn sounds</h3><p>The school is closed.</p></div></div></article></main>`,
    ),
    { has: ['Ferry turns back', 'All forty are safe.', 'The school is closed.'], not: SITE_FRAME },
  ],
];

const B_PRODUCTS: readonly Kept[] = [
  [
    'b1',
    'a product of a Shopify theme',
    shop(
      `<main id="MainContent" role="main"><section class="shopify-section"><div class="product product--large grid"><div class="product__media-wrapper"><img src="/line.jpg" alt="Mooring line"></div><div class="product__info-wrapper"><div class="product__info-container"><p class="product__text caption-with-letter-spacing">Ropewalk Kelm</p><div class="product__title"><h1>Mooring line 20 m</h1></div><div class="no-js-hidden" id="price-t1"><div class="price price--large price--on-sale"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">49.00 €</span></div></div></div></div><p class="product__inventory">12 in stock</p><form class="form" action="/cart/add"><button type="submit" name="add" class="product-form__submit button">Add to cart</button></form><div class="product__description rte">${prose(3)}<ul><li>Breaks at 4 t</li></ul></div><div class="product__accordion accordion"><details><summary><h2 class="h4 accordion__title">Care</h2></summary><div class="accordion__content rte"><p>Rinse with fresh water.</p></div></details></div></div></div></div></section></main>`,
    ),
    {
      has: ['49.00 €', '12 in stock', 'Breaks at 4 t', 'Care', 'Rinse with fresh water.'],
      not: [...SHOP_FRAME, 'Add to cart'],
    },
  ],
  [
    'b2',
    'a reduced product of WooCommerce with variations and tabs',
    shop(
      `<div id="primary" class="content-area"><main id="main" class="site-main"><div id="product-7" class="product type-product instock sale"><span class="onsale">Sale!</span><div class="woocommerce-product-gallery"><img src="/line.jpg" alt="Line"></div><div class="summary entry-summary"><h1 class="product_title entry-title">Mooring line 20 m</h1><p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>59.00&nbsp;€</bdi></span></del> <span class="screen-reader-text">Original price was: 59.00 €.</span><ins><span class="woocommerce-Price-amount amount"><bdi>49.00&nbsp;€</bdi></span></ins></p><div class="woocommerce-product-details__short-description"><p>For ships up to 12 m.</p></div><p class="stock in-stock">Only 3 left in stock</p><form class="cart"><button class="single_add_to_cart_button button alt">Add to basket</button></form><div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">ML-20</span></span></div></div><div class="woocommerce-tabs wc-tabs-wrapper"><div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--description panel entry-content wc-tab" id="tab-description"><h2>Description</h2>${prose(3)}</div><div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--additional_information panel entry-content wc-tab" id="tab-additional_information" style="display:none"><h2>Additional information</h2><table class="woocommerce-product-attributes shop_attributes"><tr><th>Weight</th><td>3.1 kg</td></tr></table></div></div></div></main></div>`,
    ),
    { has: ['49.00', 'For ships up to 12 m.', 'Only 3 left in stock', 'ML-20', '3.1 kg'], not: SHOP_FRAME },
  ],
  [
    'b3',
    'a product of Magento with its data',
    shop(
      `<main id="maincontent" class="page-main"><div class="columns"><div class="column main"><div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" itemprop="name">Mooring line 20 m</span></h1></div><div class="product-info-price"><div class="price-box price-final_price"><span class="price-wrapper"><span class="price">$52.00</span></span></div><div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">24-ML20</div></div></div></div><div class="product attribute overview"><div class="value" itemprop="description"><ul><li>Three strands</li><li>Floats for an hour</li></ul></div></div></div><div class="product info detailed"><div class="product data items"><div class="data item title active"><a class="data switch" href="#description">Details</a></div><div class="data item content" id="description"><div class="product attribute description"><div class="value">${prose(3)}</div></div></div><div class="data item title"><a class="data switch" href="#additional">More Information</a></div><div class="data item content" id="additional"><div class="additional-attributes-wrapper table-wrapper"><table class="data table additional-attributes"><tbody><tr><th class="col label" scope="row">Material</th><td class="col data">Manila hemp</td></tr></tbody></table></div></div></div></div></div></div></main>`,
    ),
    { has: ['$52.00', 'In stock', '24-ML20', 'Floats for an hour', 'Manila hemp'], not: SHOP_FRAME },
  ],
  [
    'b4',
    'a product of a large marketplace, its bullets and its technical data',
    shop(
      `<div id="dp" class="a-container"><div id="ppd"><div id="centerCol"><div id="titleSection"><h1 id="title"><span id="productTitle">Mooring line 20 m</span></h1></div><div id="averageCustomerReviews"><span title="4.6 out of 5 stars">4.6 out of 5 stars</span></div><div id="corePrice_feature_div"><span class="a-price"><span class="a-offscreen">$44.95</span></span></div><div id="feature-bullets"><h2>About this item</h2><ul class="a-unordered-list"><li><span class="a-list-item">Spliced eye of 30 cm</span></li><li><span class="a-list-item">Does not rot</span></li></ul></div></div><div id="rightCol"><div id="availability"><span>Usually ships within 2 days</span></div></div></div><div id="productDescription_feature_div"><h2>Product description</h2><div id="productDescription">${prose(3)}</div></div><div id="prodDetails"><h2>Technical details</h2><table id="productDetails_techSpec_section_1"><tr><th>Diameter</th><td>14 mm</td></tr><tr><th>Colour</th><td>Navy</td></tr></table></div></div>`,
      'Mooring line 20 m',
      '',
    ),
    { has: ['$44.95', 'Spliced eye of 30 cm', 'Usually ships within 2 days', '14 mm'], not: SHOP_FRAME },
  ],
  [
    'b5',
    'a product in microdata without a sign of its system',
    shop(
      `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Mooring line 20 m</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="49">49,– €</b> incl. VAT <link itemprop="availability" href="https://schema.org/InStock">Ready to ship</div><div itemprop="description">${prose(3)}</div><dl class="data"><dt>Length</dt><dd>20 m</dd><dt>Breaking load</dt><dd>4,100 kg</dd></dl><h2>Downloads</h2><p><a href="/sheet.pdf">Data sheet</a> (PDF)</p></div>`,
      'Mooring line 20 m',
      '',
    ),
    { has: ['49,– €', 'Ready to ship', '4,100 kg', '/sheet.pdf'], not: SHOP_FRAME },
  ],
  [
    'b6',
    'a category with its products and their prices',
    shop(
      `<main id="main"><header class="woocommerce-products-header"><h1 class="page-title">Ropes</h1><div class="term-description"><p>All lines are twisted in Kelm.</p></div></header><p class="woocommerce-result-count">Showing all 4 results</p><ul class="products columns-4">${[
        ['Anchor line', '80.00'],
        ['Heaving line', '22.00'],
        ['Flag line', '8.50'],
        ['Tow line', '120.00'],
      ]
        .map(
          ([name, price]) =>
            `<li class="product type-product"><a href="/p/${name}" class="woocommerce-LoopProduct-link"><img src="/i.jpg" alt=""><h2 class="woocommerce-loop-product__title">${name}</h2><span class="price"><span class="amount">${price}&nbsp;€</span></span></a><a href="?add=1" class="button add_to_cart_button">Add to cart</a></li>`,
        )
        .join('')}</ul></main>`,
      'Ropes – Quay Chandler',
      '',
    ),
    { has: ['All lines are twisted in Kelm.', 'Anchor line', 'Tow line', '22.00', '120.00'], not: SHOP_FRAME },
  ],
  [
    'b7',
    'a book with price, formats and bibliographic data',
    shop(
      `<main><div class="book-detail"><div class="book-cover"><img src="/b.jpg" alt="Cover"></div><div class="book-info"><h1>Ropes of the north</h1><p class="book-author">Ana Sol</p><ul class="formats"><li class="format selected"><span>Hardcover</span> <span>€ 28.00</span></li><li class="format"><span>E-book</span> <span>€ 14.99</span></li></ul><p class="delivery">Ships in two days.</p></div><div class="book-blurb">${prose(3)}</div><div class="book-biblio"><h3>Details</h3><ul><li>ISBN: 978-3-00-000000-1</li><li>Pages: 312</li></ul></div><div class="book-praise"><blockquote><p>Nobody knots a sentence like her.</p></blockquote></div></div></main>`,
      'Ropes of the north',
    ),
    {
      has: ['€ 28.00', '€ 14.99', 'Ships in two days.', '978-3-00-000000-1', 'Nobody knots a sentence'],
      not: SHOP_FRAME,
    },
  ],
  [
    'b8',
    'plans with prices side by side',
    site(
      `<main><h1>Prices</h1><p>Every plan has a berth.</p><div class="pricing-table"><div class="pricing-card"><h3>Dinghy</h3><div class="price"><span>€ 9</span><span> / month</span></div><ul><li>One boat</li><li>No crane</li></ul><a class="btn" href="/signup?p=1">Choose Dinghy</a></div><div class="pricing-card featured"><h3>Cutter</h3><div class="price"><span>€ 29</span><span> / month</span></div><ul><li>Three boats</li><li>Crane twice a year</li></ul><a class="btn" href="/signup?p=2">Choose Cutter</a></div></div>${prose(3)}</main>`,
      'Prices',
      '',
    ),
    { has: ['€ 9', '€ 29', 'No crane', 'Crane twice a year'], not: SITE_FRAME },
  ],
];

const C_CLASSES: readonly Kept[] = [
  [
    'c1',
    'the declaration and deprecation of javadoc 8',
    page(
      `<div class="topNav"><a name="navbar.top"></a><div class="skipNav"><a href="#skip.navbar.top">Skip navigation links</a></div><ul class="navList"><li><a href="o.html">Overview</a></li><li>Class</li></ul></div><div class="header"><div class="subTitle">org.sea.line</div><h2 title="Class Rope" class="title">Class Rope</h2></div><div class="contentContainer"><ul class="inheritance"><li>java.lang.Object</li><li><ul class="inheritance"><li>org.sea.line.Rope</li></ul></li></ul><div class="description"><ul class="blockList"><li class="blockList"><hr><div class="block"><span class="deprecatedLabel">Deprecated.</span> <div class="block"><span class="deprecationComment">use Line, which floats</span></div></div><br><pre>public class <span class="typeNameLabel">Rope</span>\nextends java.lang.Object</pre><div class="block">A line of hemp.</div></li></ul></div><div class="details"><ul class="blockList"><li class="blockList"><h3>Method Detail</h3><ul class="blockListLast"><li class="blockList"><h4>cut</h4><pre>public&nbsp;Rope&nbsp;cut(int&nbsp;metres)</pre><div class="block">Cuts it.</div><dl><dt><span class="paramLabel">Parameters:</span></dt><dd><code>metres</code> - how many stay</dd><dt><span class="returnLabel">Returns:</span></dt><dd>the longer half</dd></dl></li></ul></li></ul></div></div><div class="bottomNav"><ul class="navList"><li><a href="help.html">Help of the API</a></li></ul></div><p class="legalCopy"><small>Copyright of the Sea team</small></p>`,
      { title: 'Rope (Sea 2 API)' },
    ),
    {
      has: [
        'public class Rope',
        'extends java.lang.Object',
        'use Line, which floats',
        'how many stay',
        'the longer half',
        'A line of hemp.',
      ],
      not: ['Help of the API', 'Skip navigation'],
    },
  ],
  [
    'c2',
    'the preview notice and thrown types of javadoc 21',
    page(
      `<div class="flex-box"><header role="banner" class="flex-header"><nav role="navigation"><div class="top-nav"><ul class="nav-bar-list"><li><a href="../i.html">All overviews</a></li></ul></div></nav></header><div class="flex-content"><main role="main"><div class="header"><div class="sub-title"><span class="package-label-in-type">Package</span>&nbsp;<a href="p.html">org.sea</a></div><h1 title="Interface Rope" class="title">Interface Rope</h1></div><section class="class-description" id="class-description"><dl class="notes"><dt>All Superinterfaces:</dt><dd><code><a href="Line.html">Line</a></code></dd></dl><hr><div class="type-signature"><span class="modifiers">public sealed interface </span><span class="element-name type-name-label">Rope</span></div><div class="preview-block" id="preview"><span class="preview-label">Rope relies on preview features.</span><div class="preview-comment">Programs can only use it when preview features are enabled.</div></div><div class="block">A line.</div></section><section class="details"><ul class="details-list"><li><section class="method-details"><h2>Method Details</h2><ul class="member-list"><li><section class="detail" id="cut()"><h3>cut</h3><div class="horizontal-scroll"><div class="member-signature"><span class="return-type">void</span>&nbsp;<span class="element-name">cut</span>()\n throws <span class="exceptions">KnotException</span></div><div class="block">Cuts it.</div></div></section></li></ul></section></li></ul></section></main></div></div>`,
      { title: 'Rope (Sea 21)' },
    ),
    {
      has: [
        'public sealed interface Rope',
        'relies on preview features',
        'when preview features are enabled',
        'KnotException',
        'Superinterfaces',
      ],
      not: ['All overviews'],
    },
  ],
  [
    'c3',
    'the signature, note and tags of YARD',
    page(
      `<div class="nav_wrap"><iframe id="nav" src="../class_list.html"></iframe></div><div id="main" tabindex="-1"><div id="header"><div id="menu"><a href="../_index.html">Index of all</a> &raquo; <span class="title">Rope</span></div><div id="search"><a class="full_list_link" href="../class_list.html">Class List</a></div></div><div id="content"><h1>Class: Sea::Rope</h1><div class="box_info"><dl><dt>Inherits:</dt><dd><span class="inheritName">Object</span></dd></dl><dl><dt>Defined in:</dt><dd>lib/sea/rope.rb</dd></dl></div><h2>Overview</h2><div class="docstring"><div class="discussion"><div class="note deprecated"><strong>Deprecated.</strong> <div class="inline"><p>Use Line.</p></div></div><p>A line of hemp.</p></div></div><div id="instance_method_details" class="method_details_list"><h2>Instance Method Details</h2><div class="method_details first"><h3 class="signature first" id="cut-instance_method">#<strong>cut</strong>(metres) &#x21d2; <tt>Rope</tt></h3><div class="docstring"><div class="discussion"><p>Cuts it.</p></div></div><div class="tags"><p class="tag_title">Parameters:</p><ul class="param"><li><span class="name">metres</span> <span class="type">(<tt>Integer</tt>)</span> &mdash; <div class="inline"><p>how many stay</p></div></li></ul></div></div></div></div><div id="footer">Generated by yard</div></div>`,
      { title: 'Class: Sea::Rope' },
    ),
    {
      has: ['cut', '(metres)', 'Use Line.', 'how many stay', 'Cuts it.', 'lib/sea/rope.rb'],
      not: ['Generated by yard'],
    },
  ],
  [
    'c4',
    'type parameters and returns of TypeDoc',
    page(
      `<header class="tsd-page-toolbar"><a href="index.html" class="title">sea docs</a></header><div class="container container-main"><div class="col-content"><div class="tsd-page-title"><ul class="tsd-breadcrumb"><li><a href="i.html">sea</a></li></ul><h1>Function cut</h1></div><section class="tsd-panel"><ul class="tsd-signatures"><li class="tsd-signature tsd-kind-icon"><span class="tsd-kind-call-signature">cut</span><span class="tsd-signature-symbol">&lt;</span><span class="tsd-signature-type">T</span><span class="tsd-signature-symbol">&gt;</span>(<span class="tsd-kind-parameter">rope</span>: T): T[]</li><li class="tsd-description"><div class="tsd-comment tsd-typography"><p>Cuts the rope in halves.</p></div><div class="tsd-parameters"><h4 class="tsd-parameters-title">Parameters</h4><ul class="tsd-parameter-list"><li><span><span class="tsd-kind-parameter">rope</span>: <span class="tsd-signature-type">T</span></span><div class="tsd-comment tsd-typography"><p>what to cut</p></div></li></ul></div><h4 class="tsd-returns-title">Returns <span class="tsd-signature-type">T[]</span></h4><p>both halves</p><div class="tsd-comment tsd-typography"><h4>Since</h4><p>2.1</p></div></li></ul></section></div><div class="col-sidebar"><nav class="tsd-navigation"><a href="modules.html">Tree of modules</a></nav></div></div><footer><p class="tsd-generator">Generated using TypeDoc</p></footer>`,
      { title: 'cut | sea docs' },
    ),
    {
      has: ['Cuts the rope in halves.', 'what to cut', 'both halves', 'Since', '2.1'],
      not: ['Tree of modules', 'Generated using TypeDoc'],
    },
  ],
  [
    'c5',
    'the declaration and deprecation of rustdoc',
    page(
      `<nav class="sidebar"><h2 class="location"><a href="#">Rope</a></h2><div class="sidebar-elems"><ul class="block"><li><a href="#method.knot">Knots of all</a></li></ul></div></nav><main><div class="width-limiter"><section id="main-content" class="content"><div class="main-heading"><h1>Struct <a href="index.html">sea</a>::<a class="struct" href="#">Rope</a><button id="copy-path">Copy item path</button></h1><span class="out-of-band"><a class="src" href="../src/rope.rs.html">source</a></span></div><pre class="rust item-decl"><code>pub struct Rope { /* private fields */ }</code></pre><span class="item-info"><div class="stab deprecated"><span class="emoji">👎</span><span>Deprecated since 1.4.0: use Line</span></div></span><details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>A line of hemp.</p></div></details><h2 id="implementations" class="section-header">Implementations<a href="#implementations" class="anchor">§</a></h2><div id="implementations-list"><details class="toggle implementors-toggle" open><summary><section id="impl-Rope" class="impl"><h3 class="code-header">impl Rope</h3></section></summary><div class="impl-items"><details class="toggle method-toggle" open><summary><section id="method.cut" class="method"><h4 class="code-header">pub fn cut(self) -&gt; Rope</h4></section></summary><div class="docblock"><p>Cuts it.</p></div></details></div></details></div></section></div></main>`,
      { title: 'Rope in sea - Rust' },
    ),
    {
      has: ['pub struct Rope', 'Deprecated since 1.4.0: use Line', 'A line of hemp.', 'pub fn cut(self)', 'Cuts it.'],
      not: ['Knots of all', 'Copy item path'],
    },
  ],
  [
    'c6',
    'the end of a contract: date, parties and signatures',
    site(
      `<main><h1>Lease of a berth</h1><div class="contract-body">${prose(4)}</div><div class="signature-block"><p>Signed at Kelm on 4 May 2024.</p><table class="signatures"><tr><td>Ana Sol, for the harbor</td><td>Olaf Lind, tenant</td></tr></table></div></main>`,
      'Lease of a berth',
      '',
    ),
    { has: ['Signed at Kelm on 4 May 2024.', 'Olaf Lind, tenant'], not: SITE_FRAME },
  ],
  [
    'c7',
    'the period for comments, rates and hours on a page of an office',
    site(
      `<main><h1>Plan of the new mole</h1>${prose(3)}<h2>Dates</h2><div class="comment-period">Comments may be sent until June 30.</div><h2>Hearing</h2><div class="share-hall">Town hall, room 4.</div><h2>Access</h2><div class="login-hours">The portal is open from 6 to 22.</div><h2>Costs</h2><div class="ad-rates">Notices cost 12 €.</div><h2>Support</h2><div class="social-support">Half price for pensioners.</div></main>`,
      'Plan of the new mole',
      '',
    ),
    {
      has: ['until June 30', 'room 4', 'from 6 to 22', 'Notices cost 12 €', 'Half price for pensioners'],
      not: SITE_FRAME,
    },
  ],
  [
    'c8',
    'notes and versions of Doxygen',
    page(
      `<div id="top"><div id="titlearea"><table><tr><td id="projectalign"><div id="projectname">Sea</div></td></tr></table></div><div id="main-nav"></div></div><div id="nav-path" class="navpath"><ul><li class="navelem"><a href="n.html">path of names</a></li></ul></div><div class="header"><div class="headertitle"><div class="title">Rope Class Reference</div></div></div><div class="contents"><div class="textblock"><p>A line of hemp.</p><dl class="deprecated"><dt><b><a class="el" href="deprecated.html">Deprecated:</a></b></dt><dd>Use Line. </dd></dl><dl class="section author"><dt>Author</dt><dd>Ana Sol </dd></dl></div><h2 class="memtitle">&#9670;&#160;cut()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">int Rope::cut </td><td>(</td><td class="paramtype">int&#160;</td><td class="paramname"><em>metres</em></td><td>)</td><td></td></tr></table></div><div class="memdoc"><p>Cuts it.</p><dl class="params"><dt>Parameters</dt><dd><table class="params"><tr><td class="paramname">metres</td><td>how many stay </td></tr></table></dd></dl><dl class="section return"><dt>Returns</dt><dd>the rest </dd></dl></div></div></div><hr class="footer"><address class="footer"><small>Generated by doxygen</small></address>`,
      { title: 'Sea: Rope Class Reference' },
    ),
    { has: ['Use Line.', 'int Rope::cut', 'how many stay', 'the rest'], not: ['Generated by doxygen'] },
  ],
  [
    'c9',
    'the rating of a film and the terms of a promotion',
    site(
      `<main><h1>The lamp keeper</h1><div class="film-facts"><div class="rating">FSK 12</div><div class="social-distance">Every second seat is free.</div></div>${prose(3)}<h2>Prize draw</h2><div class="promo-terms">Only people over 18 may enter.</div></main>`,
      'The lamp keeper',
      '',
    ),
    { has: ['FSK 12', 'Every second seat is free.', 'Only people over 18'], not: SITE_FRAME },
  ],
];

const TEAMS = ['Anna Berg', 'Olaf Lind', 'Pia Holm'];
const SAME = 'Please bring the original of your certificate.';
const D_REPEATS: readonly Kept[] = [
  [
    'd1',
    'the same hours of two branches',
    site(
      `<main><h1>Offices</h1>${prose(2)}<div class="branch"><h2>Kelm</h2><p class="hours">Open from Monday to Friday, 9 to 17.</p></div><div class="branch"><h2>Arn</h2><p class="hours">Open from Monday to Friday, 9 to 17.</p></div></main>`,
      'Offices',
      '',
    ),
    { count: ['Open from Monday to Friday', 2], not: SITE_FRAME },
  ],
  [
    'd2',
    'the same answer to two questions',
    site(
      `<main><h1>Questions</h1>${prose(1)}<details><summary>How do I move a berth?</summary><p>${SAME}</p></details><details><summary>How do I sell a berth?</summary><p>${SAME}</p></details><div class="faq-item"><h3>How do I lend a berth?</h3><div class="faq-answer"><p>${SAME}</p></div></div></main>`,
      'Questions',
      '',
    ),
    { count: [SAME, 3], not: SITE_FRAME },
  ],
  [
    'd3',
    'equal rows of a striped table',
    site(
      `<main><h1>Sailings</h1>${prose(1)}<table class="striped"><tr><th>Ship</th><th>Note</th></tr><tr class="odd"><td>Tern</td><td>Runs daily except on holidays</td></tr><tr class="even"><td>Gull</td><td>Runs daily except on holidays</td></tr><tr class="odd"><td>Tern</td><td>Runs daily except on holidays</td></tr></table></main>`,
      'Sailings',
      '',
    ),
    { count: ['Runs daily except on holidays', 3], not: SITE_FRAME },
  ],
  [
    'd4',
    'the same text of two methods',
    docs(
      `<main role="main"><h1>Class Rope</h1>${prose(1)}<section class="method-details"><ul class="member-list">${['cut', 'split'].map((name) => `<li><section class="detail" id="${name}()"><h3>${name}</h3><div class="member-signature">void ${name}()</div><div class="block"><span class="descfrm-type-label">Description copied from interface:&nbsp;<code>Line</code></span></div><div class="block">Does nothing if the rope is wet or frozen.</div></section></li>`).join('')}</ul></section></main>`,
    ),
    { count: ['Does nothing if the rope is wet', 2], not: DOCS_FRAME },
  ],
  [
    'd5',
    'the same note of two versions',
    docs(
      `<main><h1>Changes</h1>${['2.2', '2.1', '2.0'].map((version) => `<section class="release"><h2>Version ${version}</h2><div class="release-notes"><ul><li>Bug fixes and better performance on old phones.</li></ul></div></section>`).join('')}${prose(1)}</main>`,
      'Changes',
    ),
    { count: ['Bug fixes and better performance', 3], not: DOCS_FRAME },
  ],
  [
    'd6',
    'the same data of two models',
    shop(
      `<main><h1>Lamps</h1>${prose(2)}${['LM-7', 'LM-9'].map((name) => `<div class="variant variant-${name}"><h3>${name}</h3><dl><dt>Warranty</dt><dd>Five years from the day of purchase</dd></dl></div>`).join('')}</main>`,
      'Lamps',
    ),
    { count: ['Five years from the day of purchase', 2], not: SHOP_FRAME },
  ],
  [
    'd7',
    'a step that comes twice',
    site(
      `<main><article><h1>Rye bread</h1>${prose(2)}<div class="steps"><div class="step step-1"><p>Mix flour and water.</p></div><div class="step step-2"><p>Cover the dough and let it rest for ten minutes.</p></div><div class="step step-3"><p>Fold it.</p></div><div class="step step-4"><p>Cover the dough and let it rest for ten minutes.</p></div></div></article></main>`,
      'Rye bread',
    ),
    { count: ['let it rest for ten minutes', 2], not: SITE_FRAME },
  ],
  [
    'd8',
    'the refrain of a song',
    site(
      `<main><article><h1>Song of the rope</h1><div class="lyrics"><p class="verse">We walked it back in the morning light,<br>we walked it back in the rain,</p><p class="chorus">Haul away, you sons of the bay,<br>and haul it away again.</p><p class="verse">The tar was hot and the hemp was dry,<br>the walker was never the same,</p><p class="chorus">Haul away, you sons of the bay,<br>and haul it away again.</p></div>${prose(2)}</article></main>`,
      'Song of the rope',
    ),
    { count: ['Haul away, you sons', 2], not: SITE_FRAME },
  ],
  [
    'd9',
    'the same duty of several people',
    site(
      `<main><h1>Crew</h1>${prose(1)}${TEAMS.map((name) => `<div class="person"><h3>${name}</h3><p class="role">Pilot and keeper of the harbor lamps</p></div>`).join('')}</main>`,
      'Crew',
      '',
    ),
    { count: ['Pilot and keeper of the harbor lamps', 3], not: SITE_FRAME },
  ],
];

const E_CARDS: readonly Kept[] = [
  [
    'e1',
    'the gallery of the block editor',
    site(
      `<main><article class="post"><h1>Boats</h1><div class="entry-content">${prose(3)}<figure class="wp-block-gallery has-nested-images columns-3 is-cropped">${[1, 2, 3].map((n) => `<figure class="wp-block-image size-large"><a href="/boats/boat-${n}/"><img src="/uploads/boat-${n}.jpg" alt="Boat ${n}"></a><figcaption class="wp-element-caption">The Tern in year ${n}</figcaption></figure>`).join('')}</figure>${prose(1, 4)}</div></article></main>`,
      'Boats',
    ),
    { has: ['boat-1.jpg', 'boat-3.jpg', 'The Tern in year 2', 'The Tern in year 3'], not: SITE_FRAME },
  ],
  [
    'e2',
    'a classic gallery with captions',
    site(
      `<main><article><h1>Boats</h1>${prose(3)}<div id="gallery-1" class="gallery galleryid-9 gallery-columns-3">${['mast', 'keel', 'rudder'].map((part) => `<dl class="gallery-item"><dt class="gallery-icon landscape"><a href="/up/${part}.jpg"><img src="/up/${part}-150x150.jpg" class="attachment-thumbnail" alt=""></a></dt><dd class="wp-caption-text gallery-caption">The old ${part}</dd></dl>`).join('')}</div></article></main>`,
      'Boats',
    ),
    { has: ['mast-150x150.jpg', 'rudder-150x150.jpg', 'The old keel'], not: SITE_FRAME },
  ],
  [
    'e3',
    'a post of another site as its own quotation',
    site(
      `<main><article><h1>The pier</h1>${prose(3)}<blockquote class="twitter-tweet" data-lang="en"><p lang="en" dir="ltr">The pier is open again, and the horn is back. <a href="https://t.co/x">https://t.co/x</a></p>&mdash; Port of Kelm (@kelmport) <a href="https://twitter.com/kelmport/status/2">May 1, 2024</a></blockquote><script async src="https://platform.twitter.com/widgets.js"></script>${prose(1, 4)}</article></main>`,
      'The pier',
    ),
    { has: ['The pier is open again, and the horn', 'Port of Kelm'], not: SITE_FRAME },
  ],
  [
    'e4',
    'the objects of a museum',
    site(
      `<main><h1>Lamps of the museum</h1><p>Nine lamps are on show.</p><ul class="object-grid">${['Argand', 'Paraffin', 'Carbide', 'Arc'].map((name, at) => `<li class="object-card"><a href="/object/${at}"><img src="/o${at}.jpg" alt="${name} lamp"><h3>${name} lamp</h3></a><p>Brass, 18${at}0</p></li>`).join('')}</ul></main>`,
      'Lamps of the museum',
      '',
    ),
    { has: ['Argand lamp', 'o3.jpg', 'Arc lamp', 'Brass, 1830'], not: SITE_FRAME },
  ],
  [
    'e5',
    'the people of a team with links to their pages',
    site(
      `<main><h1>Our team</h1>${prose(1)}<div class="team-grid">${TEAMS.map((name, at) => `<div class="team-member"><a href="/team/${at}"><img src="/t${at}.jpg" alt="${name}"></a><h3><a href="/team/${at}">${name}</a></h3><p class="position">Pilot, watch ${at}</p></div>`).join('')}</div></main>`,
      'Our team',
      '',
    ),
    { has: ['Anna Berg', 'Pia Holm', 'Pilot, watch 2'], not: SITE_FRAME },
  ],
  [
    'e6',
    'the speakers of a conference after its text',
    site(
      `<main><article class="event"><h1>Rope days</h1>${prose(4)}<h2>Speakers</h2><ul class="speakers">${TEAMS.map((name, at) => `<li class="speaker"><a href="/speakers/${at}"><figure><img src="/s${at}.jpg" alt=""></figure><strong>${name}</strong><span class="talk">How to splice in ${at + 2} steps</span></a></li>`).join('')}</ul><h2>Way</h2><p>Take the ferry at nine.</p></article></main>`,
      'Rope days',
    ),
    { has: ['## Speakers', 'Olaf Lind', 'How to splice in 4 steps', 'ferry at nine'], not: SITE_FRAME },
  ],
  [
    'e7',
    'a list of recommended things with picture and link',
    site(
      `<main><article><h1>Five knives for rope</h1>${prose(2)}${['Tern', 'Gull', 'Auk'].map((name, at) => `<div class="listicle-item"><h2><a href="https://shop.example/${name}">${name} knife</a></h2><a href="https://shop.example/${name}"><img src="/k${at}.jpg" alt="${name} knife"></a><p>Cuts ${at + 3} strands at once.</p></div>`).join('')}</article></main>`,
      'Five knives for rope',
    ),
    { has: ['Tern knife', 'Auk knife', 'Cuts 5 strands', 'k2.jpg'], not: SITE_FRAME },
  ],
  [
    'e8',
    'an album of pictures that has little other text',
    site(
      `<main><h1>Album of the regatta</h1><div class="album">${[1, 2, 3, 4].map((n) => `<div class="photo"><a class="lightbox" href="/full/${n}.jpg" data-caption="Start ${n}"><img src="/thumb/${n}.jpg" alt="Start number ${n}"></a></div>`).join('')}</div></main>`,
      'Album of the regatta',
      '',
    ),
    { has: ['/thumb/1.jpg', '/thumb/4.jpg', 'Start number 3'], not: SITE_FRAME },
  ],
  [
    'e9',
    'a slideshow within an article',
    site(
      `<main><article><h1>The mole</h1>${prose(3)}<div class="slideshow carousel"><ul class="slides">${['before', 'during', 'after'].map((when) => `<li class="slide"><img src="/mole-${when}.jpg" alt=""><div class="slide-caption"><p>The mole ${when} the storm of May</p></div></li>`).join('')}</ul></div>${prose(1, 4)}</article></main>`,
      'The mole',
    ),
    { has: ['mole-before.jpg', 'The mole during the storm', 'mole-after.jpg'], not: SITE_FRAME },
  ],
  [
    'e10',
    'a thread of short posts on a page of its own',
    page(
      `<nav class="topbar"><a href="/login">Log in to unroll</a></nav><main><h1>Thread by @anasol</h1><div class="t-main">${['The lamp failed at three.', 'I climbed with a can.', 'Nobody saw the ship.', 'It saw me.'].map((text, at) => `<div id="tweet_${at + 1}" class="content-tweet allow-preview" data-screenname="anasol"><p>${text}</p>${at === 1 ? '<span class="entity-image"><a href="https://pbs.example/can.jpg" target="_blank"><img src="https://pbs.example/can.jpg" alt="A can"></a></span>' : ''}</div>`).join('')}</div></main><footer><a href="/premium">Upgrade to Premium</a></footer>`,
      { title: 'Thread by @anasol' },
    ),
    {
      has: ['The lamp failed at three.', 'can.jpg', 'Nobody saw the ship.', 'It saw me.'],
      not: ['Log in to unroll', 'Upgrade to Premium'],
    },
  ],
];

const BUTTON =
  'background-color:#0a5;border-radius:4px;color:#fff;display:inline-block;font:bold 15px/40px Arial;text-decoration:none;width:200px;-webkit-text-size-adjust:none;mso-hide:all;';
const letter = (rows: string) =>
  page(
    `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">Words for the inbox only</div><center><table role="presentation" id="bodyTable" width="100%"><tr><td align="center"><table role="presentation" class="templateContainer" width="600">${rows}<tr><td class="footerContainer"><p>You get this because you joined. <a href="*|UNSUB|*">Unsubscribe from this list</a></p></td></tr></table></td></tr></table></center>`,
    { title: 'May letter' },
  );
const F_MSO: readonly Kept[] = [
  [
    'f1',
    'the button of a newsletter',
    letter(
      `<tr><td class="mcnTextContent"><h1>May letter</h1><p>Hello, the pier is open.</p></td></tr><tr><td><div><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://n.example/book"><center>Book a berth</center></v:roundrect><![endif]--><a href="https://n.example/book" style="${BUTTON}">Book a berth</a></div></td></tr>`,
    ),
    { has: ['the pier is open', '[Book a berth](https://n.example/book)'], not: ['Words for the inbox'] },
  ],
  [
    'f2',
    'a part of a letter that Outlook does not show',
    letter(
      `<tr><td><h1>May letter</h1><p>Hello, the pier is open.</p></td></tr><!--[if !mso]><!--><tr style="mso-hide:all"><td style="mso-hide: all;"><h2>Film of the month</h2><p>The horn at dawn, in two minutes.</p></td></tr><!--<![endif]-->`,
    ),
    { has: ['## Film of the month', 'The horn at dawn'], not: ['Words for the inbox'] },
  ],
  [
    'f3',
    'a picture and a list behind the same style',
    letter(
      `<tr><td><p>Hello, the pier is open.</p><div style="mso-hide:all;font-size:14px"><a href="https://n.example/map"><img src="https://n.example/map.png" alt="Map of berths" style="display:block;mso-hide:all"></a><ul style="mso-hide:all"><li>Berth 4 is free</li></ul></div></td></tr>`,
    ),
    { has: ['https://n.example/map.png', 'Berth 4 is free'], not: ['Words for the inbox'] },
  ],
];

const G_WORDS: readonly Kept[] = [
  [
    'g1',
    'hidden words beside an icon in the cells of a comparison',
    docs(
      `<main><h1>Plans</h1>${prose(2)}<table class="table"><thead><tr><th>Part</th><th>Cutter</th><th>Dinghy</th></tr></thead><tbody><tr><td>Crane</td><td><svg aria-hidden="true" class="icon"><use href="#check"/></svg><span class="visually-hidden">Yes</span></td><td><svg aria-hidden="true" class="icon"><use href="#x"/></svg><span class="screen-reader-text">No</span></td></tr></tbody></table></main>`,
      'Plans',
    ),
    { has: ['| Crane | Yes | No |'], not: DOCS_FRAME },
  ],
  [
    'g2',
    'an icon font with a title or a label',
    docs(
      `<main><h1>Menu</h1>${prose(2)}<table><tr><th>Dish</th><th>Kind</th></tr><tr><td>Soup</td><td><i class="fa-solid fa-leaf" title="Vegan"></i></td></tr><tr><td>Cod</td><td><span class="icon icon-fish" role="img" aria-label="Fish"></span></td></tr><tr><td>Bun</td><td><img src="/w.svg" alt="Wheat" width="16" height="16"></td></tr></table></main>`,
      'Menu',
    ),
    { has: ['| Soup | Vegan |', '| Cod | Fish |', 'Wheat'], not: DOCS_FRAME },
  ],
  [
    'g3',
    'links that have only a label',
    docs(
      `<main><h1>Minutes</h1>${prose(2)}<ul><li>May 4 <a href="/minutes/4.pdf" aria-label="Minutes of May 4 as PDF"><svg><path d="M0 0"/></svg></a></li><li>May 11 <a href="/minutes/11.pdf"><span class="icon" aria-hidden="true"></span><span class="sr-only">Minutes of May 11</span></a></li></ul></main>`,
      'Minutes',
    ),
    { has: ['/minutes/4.pdf', '[Minutes of May 11](https://example.org/minutes/11.pdf)'], not: DOCS_FRAME },
  ],
  [
    'g4',
    'stars as icons with a label',
    docs(
      `<main><h1>Inns</h1>${prose(2)}<table><tr><th>Inn</th><th>Stars</th></tr><tr><td>Gull</td><td><span role="img" aria-label="4 of 5 stars"><i class="fa fa-star"></i><i class="fa fa-star"></i><i class="fa fa-star"></i><i class="fa fa-star"></i><i class="fa fa-star-o"></i></span></td></tr></table></main>`,
      'Inns',
    ),
    { has: ['| Gull | 4 of 5 stars |'], not: DOCS_FRAME },
  ],
  [
    'g5',
    'boxes that are ticked in a form of a table',
    docs(
      `<main><h1>Duties</h1>${prose(1)}<table><thead><tr><th>Duty</th><th>Night</th><th>Day</th></tr></thead><tbody><tr><td>Lamp</td><td><input type="checkbox" class="task-list-item-checkbox" disabled checked></td><td><input type="checkbox" disabled></td></tr></tbody></table></main>`,
      'Duties',
    ),
    {
      oneOf: [
        [
          '| Lamp | [x] | [ ] |',
          '| Lamp | ☑ | ☐ |',
          '| Lamp | \\[x\\] | \\[ \\] |',
          '| Lamp | ✓ | |',
          '| Lamp | ✔ | |',
        ],
      ],
      not: DOCS_FRAME,
    },
  ],
];

const rows = (count: number, row: (at: number) => string) => Array.from({ length: count }, (_, at) => row(at)).join('');
const H_NARROW: readonly Kept[] = [
  [
    'h1',
    'the entries of a module of Haddock between instances',
    page(
      `<div id="package-header"><span class="caption">sea-2.1</span><ul class="links" id="page-menu"><li><a href="src/S.html">Source of it</a></li><li><a href="index.html">Contents of all</a></li></ul></div><div id="content"><div id="module-header"><table class="info"><tr><th>Safe Haskell</th><td>Safe-Inferred</td></tr></table><p class="caption">Data.Rope</p></div><div id="description"><p class="caption">Description</p><div class="doc"><p>Ropes of hemp.</p></div></div><div id="interface"><h1>Documentation</h1><div class="top"><p class="src"><span class="keyword">data</span> <a id="t:Rope" class="def">Rope</a> a <a href="#t:Rope" class="selflink">#</a></p><div class="doc"><p>A rope with a load.</p></div><div class="subs constructors"><p class="caption">Constructors</p><table><tr><td class="src"><a id="v:Rope" class="def">Rope</a> <a href="#a">Int</a></td><td class="doc empty">&nbsp;</td></tr></table></div><div class="subs instances"><h4 class="instances details-toggle-control">Instances</h4><details id="i:Rope" open="open"><summary class="hide-when-js-enabled">Instances details</summary><table>${rows(24, (at) => `<tr><td class="src clearfix"><span class="inst-left"><a href="B.html">Class${at}</a> a =&gt; <a href="C.html">Holder${at}</a> (<a href="#t:Rope">Rope</a> a)</span> <a href="#s" class="selflink">#</a></td><td class="doc empty">&nbsp;</td></tr>`)}</table></details></div></div><div class="top"><p class="src"><a id="v:cut" class="def">cut</a> :: <a href="I.html">Int</a> -&gt; Rope a -&gt; Rope a</p><div class="doc"><p>Cuts after so many metres.</p></div></div></div></div><div id="footer"><p>Produced by Haddock</p></div>`,
      { title: 'Data.Rope' },
    ),
    {
      has: ['Ropes of hemp.', 'A rope with a load.', 'Cuts after so many metres.', 'Holder23', 'cut'],
      not: ['Contents of all', 'Produced by Haddock'],
    },
  ],
  [
    'h2',
    'a long table of classes between the text of Sphinx',
    docs(
      `<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="sea-rope"><h1>sea.rope<a class="headerlink" href="#sea-rope" title="Permalink">¶</a></h1><p>Ropes of hemp.</p><table class="autosummary longtable docutils align-default"><tbody>${rows(26, (at) => `<tr class="row-odd"><td><p><a class="reference internal" href="#f${at}"><code class="xref py py-obj docutils literal"><span class="pre">knot${at}</span></code></a>(rope[, tight])</p></td><td><p>Ties the rope in the way of number ${at}.</p></td></tr>`)}</tbody></table><dl class="py function"><dt class="sig sig-object py" id="cut"><span class="sig-prename descclassname"><span class="pre">sea.</span></span><span class="sig-name descname"><span class="pre">cut</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="pre">metres</span></em><span class="sig-paren">)</span></dt><dd><p>Cuts it.</p></dd></dl></section></div></div></div></div>`,
      'sea.rope — Sea 2.1 documentation',
    ),
    { has: ['Ropes of hemp.', 'way of number 25', 'cut', 'Cuts it.'], not: [...DOCS_FRAME, '¶'] },
  ],
  [
    'h3',
    'the notes around a large table of an office',
    site(
      `<main><h1>Harbor dues</h1><div class="intro"><p>The dues apply from May 1.</p></div><div class="table-responsive"><table><tr><th>Length</th><th>Due</th></tr>${rows(40, (at) => `<tr><td>up to ${at + 4} m, with or without a mast</td><td>${at * 3 + 7} € for each night in the season</td></tr>`)}</table></div><div class="notes"><h2>Exceptions</h2><p>Rescue boats pay nothing.</p></div></main>`,
      'Harbor dues',
      '',
    ),
    {
      has: ['The dues apply from May 1.', '124 € for each night', '## Exceptions', 'Rescue boats pay nothing.'],
      not: SITE_FRAME,
    },
  ],
  [
    'h4',
    'the summary and example of gi-docgen beside long lists',
    page(
      `<div id="body-wrapper"><nav class="sidebar devhelp-hidden"><div class="section"><h3>Sea docs</h3><p>API Version: 2.0</p></div></nav><section id="main" class="content"><section><header><h3>Class</h3><h1><a href="index.html">Sea</a><span class="sep" role="presentation"></span>Rope</h1></header><section><summary><div class="toggle-wrapper"><h4 id="description">Description<a href="#description" class="anchor"></a></h4><pre><code>final class Sea.Rope : GObject.Object</code></pre><div class="docblock"><p>A line of hemp.</p></div></div></summary><div class="toggle-wrapper methods"><h4>Methods<a href="#m" class="anchor"></a></h4><div class="toggle docblock">${rows(24, (at) => `<div class=""><h6><a href="method.${at}.html"><code>sea_rope_knot_${at}</code></a></h6><div class="docblock"><p>Ties it in the way of number ${at}, which holds in all weather.</p></div></div>`)}</div></div><div class="toggle-wrapper signals"><h4>Signals</h4><div class="docblock"><div><h6><a href="s.html"><code>Sea.Rope::broke</code></a></h6><div class="docblock"><p>The rope has broken.</p></div></div></div></div></section></section></section></div><footer><p>Made with gi-docgen</p></footer>`,
      { title: 'Sea.Rope' },
    ),
    {
      has: ['final class Sea.Rope', 'A line of hemp.', 'sea_rope_knot_23', 'The rope has broken.'],
      not: ['API Version', 'Made with gi-docgen'],
    },
  ],
  [
    'h5',
    'the text of a crate before its long lists',
    page(
      `<nav class="sidebar"><h2>Crate sea</h2><ul class="block"><li><a href="all.html">All items there are</a></li></ul></nav><main><section id="main-content" class="content"><div class="main-heading"><h1>Crate sea</h1></div><details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>Ropes of hemp.</p><pre class="rust rust-example-rendered"><code>let rope = sea::Rope::new();</code></pre></div></details><h2 id="structs" class="section-header"><a href="#structs">Structs</a></h2><ul class="item-table">${rows(30, (at) => `<li><div class="item-name"><a class="struct" href="struct.R${at}.html" title="struct sea::R${at}">R${at}</a></div><div class="desc docblock-short">A rope of ${at} strands, with a core of steel and a cover.</div></li>`)}</ul><h2 id="functions" class="section-header"><a href="#functions">Functions</a></h2><ul class="item-table"><li><div class="item-name"><a class="fn" href="fn.cut.html">cut</a></div><div class="desc docblock-short">Cuts it.</div></li></ul></section></main>`,
      { title: 'sea - Rust' },
    ),
    {
      has: ['Ropes of hemp.', 'let rope = sea::Rope::new();', 'rope of 29 strands', 'Structs', 'Functions', 'Cuts it.'],
      not: ['All items there are'],
    },
  ],
  [
    'h6',
    'the report before and the weather after a long table of results',
    site(
      `<main><article><h1>Regatta of Kelm</h1><p>Ana Sol won by a hand.</p><table class="results"><thead><tr><th>Place</th><th>Boat</th><th>Time</th></tr></thead><tbody>${rows(36, (at) => `<tr><td>${at + 1}</td><td>Boat of the family of number ${at} from the north shore</td><td>${at + 51} min and a few seconds</td></tr>`)}</tbody></table><h2>Weather</h2><p>Rain, wind of 5.</p></article></main>`,
      'Regatta of Kelm',
    ),
    { has: ['Ana Sol won by a hand.', '86 min', '## Weather', 'Rain, wind of 5.'], not: SITE_FRAME },
  ],
  [
    'h7',
    'the text of a package of javadoc around the table of its classes',
    page(
      `<header role="banner"><nav><ul><li><a href="i.html">Tree of the API</a></li></ul></nav></header><main role="main"><div class="header"><h1 title="Package" class="title">Package org.sea</h1></div><div class="horizontal-scroll"><div class="package-signature">package <span class="element-name">org.sea</span></div></div><section class="package-description" id="package-description"><div class="block">Ropes of hemp.</div></section><section class="summary"><ul class="summary-list"><li><div id="class-summary"><div class="caption"><span>Classes</span></div><div class="summary-table two-column-summary"><div class="table-header col-first">Class</div><div class="table-header col-last">Description</div>${rows(24, (at) => `<div class="col-first ${at % 2 === 0 ? 'even' : 'odd'}-row-color"><a href="R${at}.html" title="class in org.sea">R${at}</a></div><div class="col-last ${at % 2 === 0 ? 'even' : 'odd'}-row-color"><div class="block">A rope of ${at} strands, which is tarred twice a year.</div></div>`)}</div></div></li></ul></section></main>`,
      { title: 'org.sea (Sea 2 API)' },
    ),
    { has: ['package org.sea', 'Ropes of hemp.', 'rope of 23 strands', 'Description'], not: ['Tree of the API'] },
  ],
  [
    'h8',
    'a long list of links with text before and after',
    site(
      `<main><h1>Laws of the harbor</h1><p class="lead">In force since 1887.</p><ul class="laws">${rows(40, (at) => `<li><a href="/law/${at}">§ ${at + 1} Duties of the keeper of the lamp in the month of number ${at}</a></li>`)}</ul><p class="remark">The seal is kept by the mayor.</p></main>`,
      'Laws of the harbor',
      '',
    ),
    { has: ['In force since 1887.', '§ 40 Duties', 'The seal is kept by the mayor.'], not: SITE_FRAME },
  ],
];

const I_VARIANTS: readonly Kept[] = [
  [
    'i1',
    'hidden panels of sphinx-tabs',
    docs(
      `<main><h1>Install</h1>${prose(2)}<div class="sphinx-tabs docutils container"><div aria-label="Tabbed content" class="closeable" role="tablist"><button aria-controls="p-0" aria-selected="true" class="sphinx-tabs-tab" id="t-0" role="tab">Pip</button><button aria-controls="p-1" aria-selected="false" class="sphinx-tabs-tab" id="t-1" role="tab">Conda</button></div><div aria-labelledby="t-0" class="sphinx-tabs-panel" id="p-0" role="tabpanel"><pre>pip install sea</pre></div><div aria-labelledby="t-1" class="sphinx-tabs-panel" hidden="true" id="p-1" role="tabpanel"><pre>conda install sea</pre></div></div></main>`,
      'Install',
    ),
    { has: ['pip install sea', 'conda install sea'], not: DOCS_FRAME },
  ],
  [
    'i2',
    'hidden panels of Docusaurus',
    docs(
      `<main><article><div class="theme-doc-markdown markdown"><h1>Run</h1>${prose(2)}<div class="theme-tabs-container tabs-container"><ul role="tablist" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_x"><div class="language-bash codeBlockContainer"><pre><code>npm run haul</code></pre></div></div><div role="tabpanel" class="tabItem_x" hidden=""><div class="language-bash codeBlockContainer"><pre><code>yarn haul</code></pre></div></div></div></div></div></article></main>`,
      'Run',
    ),
    { has: ['npm run haul', 'yarn haul'], not: DOCS_FRAME },
  ],
  [
    'i3',
    'samples of an API in several languages, one of them shown',
    docs(
      `<main><h1>Charge</h1>${prose(2)}<pre class="highlight shell tab-shell"><code>curl https://sea.example/charge</code></pre><pre class="highlight python tab-python" style="display: none;"><code>sea.charge(5)</code></pre><pre class="highlight ruby tab-ruby" style="display:none"><code>Sea::Charge.new(5)</code></pre></main>`,
      'Charge',
    ),
    { has: ['curl https://sea.example/charge', 'sea.charge(5)', 'Sea::Charge.new(5)'], not: DOCS_FRAME },
  ],
  [
    'i4',
    'panes of Bootstrap that are not active',
    docs(
      `<main><h1>Pumps</h1>${prose(2)}<ul class="nav nav-tabs" role="tablist"><li class="nav-item"><a class="nav-link active" data-bs-toggle="tab" href="#data">Data</a></li><li class="nav-item"><a class="nav-link" data-bs-toggle="tab" href="#kit">Kit</a></li></ul><div class="tab-content"><div class="tab-pane fade show active" id="data"><table><tr><th>Power</th><td>4 kW</td></tr></table></div><div class="tab-pane fade" id="kit" aria-hidden="true"><ul><li>Two hoses of rubber</li></ul></div></div></main>`,
      'Pumps',
    ),
    { has: ['4 kW', 'Two hoses of rubber'], not: DOCS_FRAME },
  ],
  [
    'i5',
    'variants for two systems behind a pivot',
    docs(
      `<main><h1>Mount</h1>${prose(2)}<div class="zone has-pivot" data-pivot="linux"><p>On Linux, run <code>mount /sea</code>.</p></div><div class="zone has-pivot" data-pivot="windows" hidden><p>On Windows, run <code>net use S:</code>.</p></div></main>`,
      'Mount',
    ),
    { has: ['mount /sea', 'net use S:'], not: DOCS_FRAME },
  ],
  [
    'i6',
    'answers to questions that are folded',
    docs(
      `<main><h1>Questions</h1>${prose(1)}<div class="accordion"><div class="accordion-item"><h3><button aria-expanded="true" aria-controls="q1">Who pays?</button></h3><div id="q1" class="accordion-panel"><p>The tenant pays.</p></div></div><div class="accordion-item"><h3><button aria-expanded="false" aria-controls="q2">Who repairs?</button></h3><div id="q2" class="accordion-panel" hidden><p>The town repairs.</p></div></div></div></main>`,
      'Questions',
    ),
    { has: ['Who pays?', 'The tenant pays.', 'Who repairs?', 'The town repairs.'], not: DOCS_FRAME },
  ],
  [
    'i7',
    'a hidden dialog is no variant',
    site(
      `<main><article><h1>Soup of cod</h1>${prose(3)}<h2>You need</h2><ul><li>2 l of water</li></ul><div class="modal" id="print-dialog" role="dialog" aria-modal="true" style="display:none"><h4>Print this page</h4></div></article></main>`,
      'Soup of cod',
    ),
    { has: ['2 l of water'], not: [...SITE_FRAME, 'Print this page'] },
  ],
];

const Q_FRAGMENT =
  '<div class="fragment"><div class="line"><a id="l00001" name="l00001"></a><span class="lineno">    1</span> <span class="preprocessor">#include &lt;rope.h&gt;</span></div><div class="line"><span class="lineno">    2</span>  </div><div class="line"><span class="lineno">    3</span> <span class="keywordtype">int</span> main() { <span class="keywordflow">return</span> cut(); }</div></div><!-- fragment -->';
const SMALL_KINDS: readonly Kept[] = [
  [
    't1',
    'a page of Doxygen whose sections are of the first level',
    page(
      `<div id="top"><div id="titlearea"><div id="projectname">Sea</div></div></div><div class="header"><div class="headertitle"><div class="title">Rope Guide</div></div></div><div class="contents"><div class="textblock">${prose(2)}<h1><a class="anchor" id="s1"></a>Rope Guide for beginners</h1>${prose(1, 3)}<h1><a class="anchor" id="s2"></a>Knots</h1>${prose(1, 4)}</div></div>`,
      { title: 'Rope Guide' },
    ),
    { title: 'Rope Guide', has: ['Rope Guide for beginners', 'Knots'] },
  ],
  [
    't2',
    'a page of a manual whose sections are of the first level',
    page(
      `<table class="head"><tr><td class="head-ltitle">ROPE(1)</td><td class="head-vol">General Commands Manual</td><td class="head-rtitle">ROPE(1)</td></tr></table><div class="manual-text"><section class="Sh"><h1 class="Sh" id="NAME">NAME</h1><p class="Pp"><code class="Nm">rope</code> &#x2014; <span class="Nd">twist a line</span></p></section><section class="Sh"><h1 class="Sh" id="ROPE_OPTIONS">ROPE OPTIONS</h1>${prose(2)}</section></div><table class="foot"><tr><td class="foot-date">May 1, 2024</td></tr></table>`,
      { title: 'ROPE(1)' },
    ),
    { title: 'ROPE(1)', has: ['twist a line', 'ROPE OPTIONS'] },
  ],
  [
    't3',
    'a report whose title is a paragraph and whose chapters share its words',
    page(
      `<div class="cover"><p class="Title">Harbor report 2024</p><p class="Subtitle">By the office of Kelm</p></div><h1>Harbor report in short</h1>${prose(2)}<h1>Report of the pilots</h1>${prose(2, 3)}`,
      { title: 'Harbor report 2024' },
    ),
    { title: 'Harbor report 2024', has: ['Harbor report in short', 'Report of the pilots'] },
  ],
  [
    'j1',
    'a diff in a table with markers as attributes',
    docs(
      `<main><h1>Change</h1>${prose(2)}<table class="diff-table"><tbody><tr><td class="blob-num blob-num-deletion" data-line-number="1"></td><td class="blob-code blob-code-deletion"><span class="blob-code-inner blob-code-marker" data-code-marker="-">let knots = 1;</span></td></tr><tr><td class="blob-num blob-num-addition" data-line-number="1"></td><td class="blob-code blob-code-addition"><span class="blob-code-inner blob-code-marker" data-code-marker="+">let knots = 2;</span></td></tr></tbody></table></main>`,
      'Change',
    ),
    {
      has: ['let knots = 1;', 'let knots = 2;'],
      oneOf: [['-let knots = 1;', '- let knots = 1;', '\\-let knots = 1;', '\\- let knots = 1;']],
      not: DOCS_FRAME,
    },
  ],
  [
    'j2',
    'lines with the classes of Expressive Code',
    docs(
      `<main><h1>Change</h1>${prose(2)}<div class="expressive-code"><figure class="frame"><pre data-language="js"><code><div class="ec-line highlight del"><div class="code">let knots = 1;</div></div><div class="ec-line highlight ins"><div class="code">let knots = 2;</div></div><div class="ec-line"><div class="code">haul(knots);</div></div></code></pre></figure></div></main>`,
      'Change',
    ),
    { oneOf: [['- let knots = 1;\n+ let knots = 2;', '-let knots = 1;\n+let knots = 2;']], not: DOCS_FRAME },
  ],
  [
    'j3',
    'signs that are in the text already are not doubled',
    docs(
      `<main><h1>Change</h1>${prose(2)}<div class="highlight-diff notranslate"><div class="highlight"><pre><span></span><span class="gd">- let knots = 1;</span>\n<span class="gi">+ let knots = 2;</span>\n<span class="w"> </span>haul(knots);\n</pre></div></div><pre class="language-diff"><code><span class="token deleted-sign deleted"><span class="token prefix deleted">-</span><span class="token line"> let ropes = 1;\n</span></span><span class="token inserted-sign inserted"><span class="token prefix inserted">+</span><span class="token line"> let ropes = 2;\n</span></span></code></pre></main>`,
      'Change',
    ),
    { has: ['\n- let knots = 1;\n+ let knots = 2;', '\n- let ropes = 1;\n+ let ropes = 2;'], not: DOCS_FRAME },
  ],
  [
    'j4',
    'lines of the remark plugin',
    docs(
      `<main><h1>Change</h1>${prose(2)}<pre class="language-js"><code><span class="token-line code-block-delete-line">let knots = 1;<br></span><span class="token-line code-block-add-line">let knots = 2;<br></span><span class="token-line">haul(knots);<br></span></code></pre><pre class="highlight"><code><s class="removed">let ropes = 1;</s>\n<mark class="added">let ropes = 2;</mark></code></pre></main>`,
      'Change',
    ),
    {
      has: ['haul(knots);'],
      oneOf: [['- let knots = 1;\n+ let knots = 2;', '-let knots = 1;\n+let knots = 2;']],
      not: DOCS_FRAME,
    },
  ],
  [
    'k1',
    'a note in the margin without a number',
    site(
      `<main><article><h1>Rope</h1>${prose(2)}<p>The rope<label for="mn-1" class="margin-toggle">&#8853;</label><input type="checkbox" id="mn-1" class="margin-toggle"><span class="marginnote">Made of hemp in those days.</span> held for years.</p></article></main>`,
      'Rope',
    ),
    { has: ['Made of hemp in those days.', 'held for years.'], not: [...SITE_FRAME, '⊕', 'ropeMade', 'days. held'] },
  ],
  [
    'k2',
    'the footnotes of pandoc',
    site(
      `<main><article><h1>Rope</h1>${prose(2)}<p>The rope<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> held.</p><section class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr><ol><li id="fn1"><p>Made of hemp.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section></article></main>`,
      'Rope',
    ),
    { has: ['The rope[^1] held.', '[^1]: Made of hemp.'], not: [...SITE_FRAME, '↩'] },
  ],
  [
    'k3',
    'a note as an element in the sentence',
    site(
      `<main><article><h1>Rope</h1>${prose(2)}<p>The rope<span class="footnote-wrapper"><a class="footnote-number" href="#sn2" id="ref2">2</a><small class="sidenote" id="sn2" role="note">Of hemp, once.</small></span> held for years.</p></article></main>`,
      'Rope',
    ),
    {
      has: ['Of hemp, once.', 'held for years.'],
      not: [...SITE_FRAME, 'ropeOf', 'rope2Of', '2Of hemp', ')Of hemp', 'once. held'],
    },
  ],
  [
    'k4',
    'notes of Substack',
    site(
      `<main><article><h1>Rope</h1><div class="available-content"><div class="body markup">${prose(2)}<p>The rope<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a> held.</p><div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false" target="_self">1</a><div class="footnote-content"><p>Made of hemp.</p></div></div></div></div></article></main>`,
      'Rope',
    ),
    { has: ['The rope[^1] held.', '[^1]: Made of hemp.'], not: SITE_FRAME },
  ],
  [
    'l1',
    'lists of Word Online',
    page(
      `<main><h1>Plan</h1>${prose(2)}<div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-leveltext="" data-aria-level="1" role="listitem" class="OutlineElement Ltr"><p class="Paragraph">Rope</p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle2" role="list"><li data-leveltext="o" data-aria-level="2" role="listitem" class="OutlineElement Ltr"><p class="Paragraph">Hemp</p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-leveltext="" data-aria-level="1" role="listitem" class="OutlineElement Ltr"><p class="Paragraph">Sail</p></li></ul></div></main>`,
      { title: 'Plan' },
    ),
    { oneOf: [['- Rope\n  - Hemp\n- Sail', '- Rope\n\n  - Hemp\n\n- Sail', '- Rope\n\n  - Hemp\n- Sail']] },
  ],
  [
    'l2',
    'a numbered list of Quill with a nested list',
    page(
      `<main><h1>Plan</h1>${prose(2)}<ol><li data-list="ordered"><span class="ql-ui" contenteditable="false"></span>Rope</li><li data-list="bullet" class="ql-indent-1"><span class="ql-ui" contenteditable="false"></span>Hemp</li><li data-list="ordered"><span class="ql-ui" contenteditable="false"></span>Sail</li></ol></main>`,
      { title: 'Plan' },
    ),
    { oneOf: [['1. Rope\n   - Hemp\n2. Sail', '1. Rope\n  - Hemp\n2. Sail', '1. Rope\n    - Hemp\n2. Sail']] },
  ],
  [
    'l3',
    'a numbered list of Notion, of which each item is a list',
    page(
      `<article id="n" class="page sans"><header><h1 class="page-title">Plan</h1></header><div class="page-body">${prose(2)}<ol type="1" class="numbered-list" start="1"><li>Rope</li></ol><ol type="1" class="numbered-list" start="2"><li>Sail<ul class="bulleted-list"><li style="list-style-type:disc">Main</li></ul></li></ol><ol type="1" class="numbered-list" start="3"><li>Mast</li></ol></div></article>`,
      { title: 'Plan' },
    ),
    {
      oneOf: [
        [
          '1. Rope\n2. Sail\n   - Main\n3. Mast',
          '1. Rope\n2. Sail\n  - Main\n3. Mast',
          '1. Rope\n2. Sail\n    - Main\n3. Mast',
        ],
      ],
    },
  ],
  [
    'l4',
    'clauses with small Roman numbers and letters by style',
    page(
      `<main><h1>Lease</h1>${prose(2)}<p>As clause (ii) and clause (b) say.</p><ol type="i"><li>The berth is dry.</li><li>The berth is lit.</li></ol><ol style="list-style-type: lower-alpha"><li>No rope is sold.</li><li>No sail is lent.</li></ol></main>`,
      { title: 'Lease' },
    ),
    {
      oneOf: [
        [
          'ii. The berth is lit',
          '(ii) The berth is lit',
          'ii) The berth is lit',
          'ii\\. The berth',
          'ii\\) The berth',
          '**ii.** The berth',
        ],
        ['b. No sail', '(b) No sail', 'b) No sail', 'b\\. No sail', 'b\\) No sail', '**b.** No sail'],
      ],
    },
  ],
  [
    'l5',
    'steps with their own numbers',
    page(
      `<main><h1>Lamp</h1>${prose(2)}<ol class="steps">${['Open the lid.', 'Fill in oil.'].map((text, at) => `<li class="step"><div class="step__number" aria-hidden="true">${at + 1}.</div><div class="step__text">${text}</div></li>`).join('')}</ol></main>`,
      { title: 'Lamp' },
    ),
    { has: ['1. Open the lid.', '2. Fill in oil.'], not: ['1. 1', '2. 2'] },
  ],
  [
    'l6',
    'a list by roles within another one',
    page(
      `<main><h1>Plan</h1>${prose(2)}<div role="list" class="list"><div role="listitem"><span>Rope</span><div role="list"><div role="listitem">Hemp</div></div></div><div role="listitem"><span>Sail</span></div></div></main>`,
      { title: 'Plan' },
    ),
    { has: ['- Rope\n  - Hemp\n- Sail'] },
  ],
  [
    'l7',
    'paragraphs of Word that are items',
    page(
      `<div class="WordSection1"><h1>Plan</h1>${prose(2)}<p class="MsoListParagraphCxSpFirst" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><span style="font-family:Symbol"><span style="mso-list:Ignore">·<span style="font:7.0pt 'Times New Roman'">&nbsp;&nbsp;&nbsp; </span></span></span>Rope<o:p></o:p></p><p class="MsoListParagraphCxSpMiddle" style="margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o<span style="font:7.0pt 'Times New Roman'">&nbsp;&nbsp; </span></span>Hemp<o:p></o:p></p><p class="MsoListParagraphCxSpLast" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span style="font:7.0pt 'Times New Roman'">&nbsp;&nbsp; </span></span>Sail<o:p></o:p></p></div>`,
      { title: 'Plan' },
    ),
    { has: ['- Rope\n  - Hemp\n- Sail'] },
  ],
  [
    'm1',
    'a protected address in a sentence without a link',
    site(
      `<main><h1>Office</h1>${prose(2)}<p>Write to <span class="__cf_email__" data-cfemail="5a3b343b1a313f3637743f223b372a363f">[email&#160;protected]</span> in time.</p></main>`,
      'Office',
      '',
    ),
    { has: ['ana@kelm.example', 'in time.'], not: [...SITE_FRAME, 'protected'] },
  ],
  [
    'm2',
    'a link with words and a protected address',
    site(
      `<main><h1>Office</h1>${prose(2)}<p><a href="/cdn-cgi/l/email-protection#5a3b343b1a313f3637743f223b372a363f">Write to the office</a> in time.</p></main>`,
      'Office',
      '',
    ),
    { has: ['[Write to the office](mailto:ana@kelm.example)'], not: [...SITE_FRAME, 'cdn-cgi'] },
  ],
  [
    'm3',
    'a protected address within words and in a table',
    site(
      `<main><h1>Office</h1>${prose(2)}<table><tr><th>Name</th><th>Mail</th></tr><tr><td>Ana</td><td><a href="/cdn-cgi/l/email-protection#5a3b343b1a313f3637743f223b372a363f"><span class="__cf_email__" data-cfemail="5a3b343b1a313f3637743f223b372a363f">[email&#160;protected]</span></a></td></tr></table></main>`,
      'Office',
      '',
    ),
    { has: ['ana@kelm.example'], not: [...SITE_FRAME, 'protected', 'cdn-cgi'] },
  ],
  [
    'n1',
    'the labels of the tabs of sphinx-design',
    docs(
      `<main><h1>Install</h1>${prose(2)}<div class="sd-tab-set docutils"><input checked id="i1" name="s" type="radio"><label class="sd-tab-label" for="i1">Debian</label><div class="sd-tab-content docutils"><pre>apt install sea</pre></div><input id="i2" name="s" type="radio"><label class="sd-tab-label" for="i2">Fedora</label><div class="sd-tab-content docutils"><pre>dnf install sea</pre></div></div></main>`,
      'Install',
    ),
    { has: ['apt install sea', 'dnf install sea'], not: [...DOCS_FRAME, 'DebianFedora'] },
  ],
  [
    'n2',
    'lines and blocks within a heading, a cell and a link',
    docs(
      `<main><h1>Ropes<br>of Kelm</h1>${prose(2)}<table><tr><th>Day</th></tr><tr><td><div>Monday</div><div>Tuesday</div></td></tr></table><p>Go on: <a href="/x"><span style="display:block">Next part</span><span style="display:block">Sails</span></a></p></main>`,
      'Ropes of Kelm',
    ),
    {
      title: 'Ropes of Kelm',
      not: [...DOCS_FRAME, 'MondayTuesday', 'partSails', 'Ropesof'],
      has: ['Monday', 'Tuesday', 'Sails'],
    },
  ],
  [
    'n3',
    'a first letter in an element of its own',
    site(
      `<main><article><h1>Lamp</h1><p><span class="first-letter has-drop-cap" style="float:left;display:block;font-size:60px">T</span>he keeper climbed.</p>${prose(3)}<p><span class="firstcharacter">A</span>fter dawn he slept.</p></article></main>`,
      'Lamp',
    ),
    { has: ['The keeper climbed.', 'After dawn he slept.'], not: SITE_FRAME },
  ],
  [
    'n4',
    'facts of a job in a row of items',
    site(
      `<main><h1>Rope maker</h1><ul class="job-facts"><li><span>Place</span><span>Kelm</span></li><li><span>Hours</span><span>38</span></li></ul><div class="job-tags"><div>Full time</div><div>Remote</div></div>${prose(3)}</main>`,
      'Rope maker',
      '',
    ),
    { has: ['Kelm', 'Full time', 'Remote'], not: [...SITE_FRAME, 'timeRemote'] },
  ],
  [
    'o1',
    'line breaks of the source in Chinese, also beside elements',
    page(
      '<main><h1>绳子</h1><p>这是一个很长的\n<b>句子</b>，\n讲的是绳子。</p><p>绳子用\nhemp\n做成，一直以来都是这样的，从来没有改变过。</p></main>',
      { title: '绳子', lang: 'zh' },
    ),
    { has: ['这是一个很长的**句子**，讲的是绳子。'], oneOf: [['绳子用 hemp 做成', '绳子用hemp做成']] },
  ],
  [
    'o2',
    'line breaks of the source in Japanese, and spaces of Korean',
    page(
      '<main><h1>縄</h1><p>港は北に開いた\n湾の中にある。\n冬は閉ざされる。</p><p>항구는 북쪽으로\n열려 있다.</p></main>',
      { title: '縄', lang: 'ja' },
    ),
    { has: ['港は北に開いた湾の中にある。冬は閉ざされる。', '항구는 북쪽으로 열려 있다.'] },
  ],
  [
    'o3',
    'two breaks in a quotation, a cell of layout and a container',
    page(
      `<main><h1>Letter</h1>${prose(2)}<div class="message">Dear Ana,<br><br>the lamp is lit.<br>&nbsp;<br>Yours, Olaf</div><blockquote>First thing.<br><br>Second thing.</blockquote></main>`,
      { title: 'Letter' },
    ),
    { has: ['Dear Ana,\n\nthe lamp is lit.\n\nYours, Olaf', '> First thing.\n>\n> Second thing.'] },
  ],
  [
    'p1',
    'a grid by roles with headers of rows',
    docs(
      `<main><h1>Rain</h1>${prose(2)}<div role="grid" aria-label="Rain"><div role="row"><div role="columnheader">City</div><div role="columnheader">Rain</div></div><div role="row"><div role="rowheader">Oslo</div><div role="gridcell">12</div></div><div role="row"><div role="rowheader">Bonn</div><div role="gridcell">9</div></div></div></main>`,
      'Rain',
    ),
    { has: ['| City | Rain |', '| Oslo | 12 |', '| Bonn | 9 |'], not: DOCS_FRAME },
  ],
  [
    'p2',
    'clauses of a contract in tables of one row',
    page(
      `<div id="document1"><div class="eli-container"><p class="oj-doc-ti">Rules of the berth</p>${prose(2)}<table width="100%" border="0" cellspacing="0" cellpadding="0"><col width="4%"><col width="96%"><tbody><tr><td valign="top"><p class="oj-normal">1.</p></td><td valign="top"><p class="oj-normal">The berth is lent for a year.</p><table width="100%" border="0"><col width="4%"><col width="96%"><tbody><tr><td valign="top"><p class="oj-normal">(a)</p></td><td valign="top"><p class="oj-normal">with water;</p></td></tr></tbody></table><table width="100%" border="0"><tbody><tr><td valign="top"><p class="oj-normal">(b)</p></td><td valign="top"><p class="oj-normal">without a crane.</p></td></tr></tbody></table></td></tr></tbody></table></div></div>`,
      { title: 'Rules of the berth' },
    ),
    {
      has: ['The berth is lent for a year.'],
      oneOf: [
        ['(a) with water;', '| (a) | with water;', '- (a) with water;'],
        ['(b) without a crane.', '| (b) | without a crane.'],
      ],
    },
  ],
  [
    'p3',
    'terms and their meanings in a table of layout',
    page(
      `<main><h1>Lease</h1>${prose(2)}<table border="0" cellpadding="0" cellspacing="0" style="border-collapse:collapse"><tr style="vertical-align:top"><td style="width:0.5in"></td><td style="width:0.5in">1.1</td><td><u>Berth</u>. The place at the quay.</td></tr></table><table border="0" cellpadding="0" cellspacing="0"><tr style="vertical-align:top"><td></td><td>1.2</td><td><u>Season</u>. May to October.</td></tr></table></main>`,
      { title: 'Lease' },
    ),
    {
      oneOf: [
        ['1.1 Berth', '| 1.1 | Berth', '1\\.1 Berth', '1.1 <u>Berth', '| 1.1 | <u>Berth'],
        ['1.2 Season', '| 1.2 | Season', '1\\.2 Season', '1.2 <u>Season', '| 1.2 | <u>Season'],
      ],
    },
  ],
  [
    'q1',
    'code of Doxygen with numbers of lines',
    docs(`<main><h1>Use</h1>${prose(2)}${Q_FRAGMENT}</main>`, 'Use'),
    { has: ['#include <rope.h>\n\nint main() { return cut(); }\n```'], not: DOCS_FRAME },
  ],
  [
    'q2',
    'code of DokuWiki and Confluence',
    docs(
      `<main><h1>Use</h1>${prose(2)}<pre class="code bash"><span class="kw2">ls</span> <span class="re5">-l</span>\ncut</pre><div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false; theme: Confluence">int a = 1;\ncut(a);</pre></div></div></main>`,
      'Use',
    ),
    { has: ['ls -l\ncut', '```java\nint a = 1;\ncut(a);'], not: DOCS_FRAME },
  ],
  [
    'q3',
    'code as a list of lines and as a table with numbers',
    docs(
      `<main><h1>Use</h1>${prose(2)}<div class="geshi"><pre class="python"><ol><li class="li1"><div class="de1">a = 1</div></li><li class="li2"><div class="de2">cut(a)</div></li></ol></pre></div><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div class="highlight"><pre>b = 2\nhaul(b)</pre></div></td></tr></table></main>`,
      'Use',
    ),
    { has: ['a = 1\ncut(a)', 'b = 2\nhaul(b)'], not: [...DOCS_FRAME, '1\n2\n'] },
  ],
  [
    'r1',
    'lazy pictures with a copy for pages without scripts',
    site(
      `<main><article><h1>Boats</h1>${prose(2)}<figure><img class="lazyload" src="data:image/svg+xml,%3Csvg%3E%3C/svg%3E" data-lazy-src="/tern.jpg" alt="Tern"><noscript><img src="/tern.jpg" alt="Tern"></noscript><figcaption>The Tern</figcaption></figure></article></main>`,
      'Boats',
    ),
    { count: ['tern.jpg', 1], not: SITE_FRAME },
  ],
  [
    'r2',
    'a picture of Next.js whose copy has another width',
    site(
      `<main><article><h1>Boats</h1>${prose(2)}<span style="box-sizing:border-box;display:inline-block"><img alt="Gull" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" decoding="async" data-nimg="intrinsic"><noscript><img alt="Gull" src="/_next/image?url=%2Fgull.jpg&amp;w=1920&amp;q=75" decoding="async" loading="lazy"></noscript></span></article></main>`,
      'Boats',
    ),
    { count: ['gull.jpg', 1], not: SITE_FRAME },
  ],
  [
    'r3',
    'smileys as pictures and a picture in the background',
    site(
      `<main><article><h1>Boats</h1>${prose(2)}<p>Well done <img src="https://s.w.org/images/core/emoji/14.0.0/72x72/1f6a2.png" alt="🚢" class="wp-smiley" style="height:1em;max-height:1em">, crew!</p><div class="map" role="img" aria-label="Chart of the bay" style="background:url('/chart.png') center"></div></article></main>`,
      'Boats',
    ),
    { has: ['Well done 🚢, crew!', 'Chart of the bay'], not: SITE_FRAME },
  ],
  [
    's1',
    'the buttons and marks of rustdoc',
    page(
      `<main><section id="main-content" class="content"><div class="main-heading"><h1>Function <a href="index.html">sea</a>::<wbr><a class="fn" href="#">cut</a>&nbsp;<button id="copy-path" title="Copy item path to clipboard">Copy item path</button></h1><rustdoc-toolbar></rustdoc-toolbar><span class="sub-heading"><a class="src" href="../src/sea/lib.rs.html#1">Source</a> </span></div><pre class="rust item-decl"><code>pub fn cut(rope: Rope)</code></pre><details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>Cuts it.</p><h2 id="panics"><a class="doc-anchor" href="#panics">§</a>Panics</h2>${prose(1)}<div class="example-wrap"><pre class="rust rust-example-rendered"><code>sea::cut(rope);</code></pre><a class="test-arrow" href="https://play.example/?code=x">Run</a></div></div></details></section></main>`,
      { title: 'cut in sea - Rust' },
    ),
    {
      has: ['pub fn cut(rope: Rope)', 'Cuts it.', '## Panics', 'sea::cut(rope);'],
      not: ['§', 'Copy item path', 'Expand description', '[Source]'],
    },
  ],
  [
    's2',
    'the lines of navigation of Texinfo, above and below',
    page(
      `<div class="section-level-extent" id="Ropes"><div class="nav-panel"><p>Next: <a href="Sails.html" accesskey="n" rel="next">Sails</a>, Previous: <a href="Masts.html" accesskey="p" rel="prev">Masts</a>, Up: <a href="index.html" accesskey="u" rel="up">Sea</a> &nbsp; [<a href="index.html#SEC_Contents" rel="contents">Contents</a>][<a href="Index.html" rel="index">Index</a>]</p></div><hr><h3 class="section">2.1 Ropes</h3>${prose(3)}<hr><div class="header"><p>Next: <a href="Sails.html" rel="next">Sails</a>, Up: <a href="index.html" rel="up">Sea</a></p></div></div>`,
      { title: 'Ropes (Sea manual)' },
    ),
    { has: ['2.1 Ropes'], not: ['Previous:', 'Next:'] },
  ],
  [
    's3',
    'an author with an address among the meta data',
    site(
      `<main><article><h1>Ropes</h1>${prose(3)}</article></main>`,
      'Ropes',
      `${OPEN_GRAPH_ARTICLE}<meta name="author" content="Ana Sol (ana@kelm.example)">`,
    ),
    { byline: 'Ana Sol', not: SITE_FRAME },
  ],
  [
    'u1',
    'a formula of Doxygen in a paragraph of its own',
    docs(
      `<main><h1>Load</h1>${prose(2)}<p class="formulaDsp"><img class="formulaDsp" alt="\\[ F = \\frac{a}{b} \\]" src="form_1.png"></p><p>With <img class="formulaInl" alt="$a_1$" src="form_2.svg"> metres.</p></main>`,
      'Load',
    ),
    { has: ['F = \\frac{a}{b}', '$a_1$'], not: [...DOCS_FRAME, 'form_1.png', 'form_2.svg'] },
  ],
  [
    'u2',
    'formulas of Sphinx as pictures',
    docs(
      `<main><h1>Load</h1>${prose(2)}<div class="math"><p><img src="_images/math/ab.png" alt="F = \\sqrt{x}"></p></div><p>With <img class="math" src="_images/math/cd.png" alt="a^2"> metres.</p></main>`,
      'Load',
    ),
    { has: ['F = \\sqrt{x}', '$a^2$'], not: [...DOCS_FRAME, 'ab.png', 'cd.png'] },
  ],
  [
    'u3',
    'formulas of WordPress and of a wiki as pictures',
    docs(
      `<main><h1>Load</h1>${prose(2)}<p>The root <img src="https://s0.wp.com/latex.php?latex=x_1&amp;bg=fff" alt="x_1" title="x_1" class="latex"> holds.</p><p>And <span class="mwe-math-element"><img src="https://wikimedia.example/math/render/svg/e1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle y^{2}}"></span> too.</p></main>`,
      'Load',
    ),
    { has: ['$x_1$', 'y^{2}'], not: [...DOCS_FRAME, 'latex.php', 'svg/e1'] },
  ],
  [
    'v1',
    'headings in summaries deep and flat',
    docs(
      `<main><h1>Rope</h1>${prose(1)}<details class="toggle implementors-toggle" open><summary><section id="impl-Clone" class="impl"><a class="src rightside" href="/s.html">source</a><a href="#impl-Clone" class="anchor">§</a><h3 class="code-header">impl Clone for Rope</h3></section></summary><div class="impl-items"><p>Copies it.</p></div></details><details><summary><h3>Who pays?</h3></summary><p>The tenant.</p></details></main>`,
      'Rope',
    ),
    { has: ['### impl Clone for Rope', 'Copies it.', '### Who pays?', 'The tenant.'], not: [...DOCS_FRAME, '**', '§'] },
  ],
  [
    'v2',
    'a heading within the summary of a Docusaurus answer',
    docs(
      `<main><h1>Rope</h1>${prose(1)}<details class="details_x alert alert--info"><summary><div class="summary-inner"><h4 id="q">How long is it?</h4></div></summary><div><div class="collapsibleContent_x"><p>Twenty metres.</p></div></div></details></main>`,
      'Rope',
    ),
    { has: ['#### How long is it?', 'Twenty metres.'], not: [...DOCS_FRAME, '**'] },
  ],
  [
    'v3',
    'a summary of words only',
    docs(
      `<main><h1>Rope</h1>${prose(1)}<details><summary>How <em>long</em> is it, and <code>why</code>?</summary><p>Twenty metres.</p></details></main>`,
      'Rope',
    ),
    { has: ['long', '`why`', 'Twenty metres.'], not: DOCS_FRAME },
  ],
];

/** Pages of real generators and shops with their frames: what of them must stay, and what must go. */
export const KEPT: readonly Kept[] = [
  ...A_PARTS,
  ...B_PRODUCTS,
  ...C_CLASSES,
  ...D_REPEATS,
  ...E_CARDS,
  ...F_MSO,
  ...G_WORDS,
  ...H_NARROW,
  ...I_VARIANTS,
  ...SMALL_KINDS,
];
