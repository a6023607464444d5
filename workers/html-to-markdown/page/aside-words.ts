/** Whole headings of parts that pages add to their content, by language, in lower case. */
const HEADINGS: Readonly<Record<string, string>> = {
  en:
    'related|related articles|related posts|related stories|related content|related news|related products|' +
    'related topics|related links|related reading|you may also like|you might also like|you may like|' +
    'you may also be interested in|you might be interested in|more on this topic|more on this story|more stories|' +
    'more articles|more news|more posts|read also|also read|read next|up next|what to read next|keep reading|' +
    'further stories|recommended for you|recommended reading|recommended articles|suggested for you|' +
    'most read|most popular|most viewed|most shared|popular posts|popular articles|trending|trending now|' +
    'top stories|latest news|latest posts|latest articles|latest stories|latest insights|recent posts|recent articles|' +
    "recent news|editor's picks|editors' picks|don't miss|in case you missed it|comments|leave a comment|" +
    'leave a reply|join the conversation|join the discussion|newsletter|our newsletter|subscribe|subscribe now|sign up|' +
    'sign up for our newsletter|subscribe to our newsletter|join our newsletter|get our newsletter|stay updated|' +
    'stay in touch|stay connected|share|share this|share this article|share this post|share this story|share on|' +
    'follow us|connect with us|tags|filed under|post tags|about the author|about the authors|written by|' +
    'advertisement|advertisements|sponsored|sponsored content|partner content|popular searches',
  es:
    'artículos relacionados|noticias relacionadas|entradas relacionadas|contenido relacionado|contenidos relacionados|' +
    'productos relacionados|temas relacionados|relacionados|relacionado|también te puede interesar|te puede interesar|' +
    'quizás te interese|también te puede gustar|te recomendamos|recomendados|recomendado para ti|' +
    'lee también|leer también|lea también|seguir leyendo|más noticias|más artículos|más sobre este tema|lo más leído|' +
    'lo más visto|más leídas|más populares|últimas noticias|entradas recientes|artículos recientes|comentarios|' +
    'deja un comentario|deja una respuesta|boletín|suscríbete|suscríbete a nuestro boletín|compartir|comparte|' +
    'compartir en|síguenos|etiquetas|sobre el autor|acerca del autor|publicidad|anuncio|patrocinado',
  de:
    'ähnliche artikel|ähnliche beiträge|ähnliche themen|ähnliche produkte|verwandte artikel|verwandte themen|' +
    'verwandte beiträge|weitere artikel|weitere beiträge|weitere themen|weitere nachrichten|mehr zum thema|' +
    'das könnte dich auch interessieren|das könnte sie auch interessieren|das könnte ihnen auch gefallen|' +
    'das könnte dir auch gefallen|auch interessant|lesen sie auch|lies auch|weiterlesen|empfehlungen|' +
    'empfohlen für sie|meistgelesen|meistgelesene artikel|beliebt|beliebte beiträge|neueste beiträge|' +
    'neueste artikel|aktuelle beiträge|aktuelle nachrichten|kommentare|kommentar schreiben|kommentar hinterlassen|' +
    'schreibe einen kommentar|abonnieren|newsletter abonnieren|newsletter-anmeldung|teilen|artikel teilen|' +
    'beitrag teilen|folgen sie uns|folge uns|schlagwörter|schlagworte|über den autor|über die autorin|' +
    'anzeige|werbung|gesponsert',
  fr:
    'articles similaires|articles liés|articles connexes|articles associés|sur le même sujet|sur le même thème|' +
    'produits similaires|contenus associés|vous aimerez aussi|vous aimeriez aussi|vous pourriez aussi aimer|' +
    'vous pourriez être intéressé par|cela pourrait vous intéresser|à lire aussi|lire aussi|à lire également|' +
    'à découvrir aussi|recommandé pour vous|nos recommandations|les plus lus|articles les plus lus|' +
    'les plus populaires|articles populaires|articles récents|derniers articles|dernières actualités|' +
    "commentaires|laisser un commentaire|laissez un commentaire|abonnez-vous|s'abonner|" +
    "inscrivez-vous à notre newsletter|abonnez-vous à notre newsletter|lettre d'information|partager|partagez|" +
    "partager cet article|partager sur|suivez-nous|étiquettes|à propos de l'auteur|publicité|sponsorisé",
  ru:
    'похожие статьи|похожие записи|похожие материалы|похожие новости|похожие товары|похожие темы|' +
    'связанные статьи|по теме|материалы по теме|новости по теме|читайте также|читать также|читать далее|' +
    'вам может понравиться|вам также может понравиться|вам может быть интересно|рекомендуем|' +
    'рекомендации|самое читаемое|самое популярное|популярное|популярные статьи|последние новости|последние записи|' +
    'свежие записи|новости партнеров|комментарии|оставить комментарий|добавить комментарий|подписаться|' +
    'подписка на новости|рассылка|подпишитесь на рассылку|поделиться|поделиться в соцсетях|мы в соцсетях|теги|метки|' +
    'об авторе|реклама',
  uk:
    "схожі статті|схожі записи|схожі новини|схожі товари|пов'язані статті|за темою|новини за темою|читайте також|" +
    'читати також|вам може сподобатися|вас може зацікавити|рекомендуємо|найпопулярніше|популярне|популярні статті|' +
    'останні новини|останні записи|новини партнерів|коментарі|залишити коментар|додати коментар|підписатися|' +
    'підпишіться на розсилку|розсилка|поділитися|поширити|стежте за нами|теги|мітки|про автора|реклама',
  pt:
    'artigos relacionados|notícias relacionadas|posts relacionados|conteúdo relacionado|conteúdos relacionados|' +
    'produtos relacionados|relacionados|relacionadas|você também pode gostar|você pode gostar|também pode gostar|' +
    'pode interessar-lhe|veja também|leia também|leia mais|continue lendo|recomendados|' +
    'recomendado para você|mais lidas|mais lidos|as mais lidas|mais populares|mais notícias|últimas notícias|' +
    'posts recentes|artigos recentes|comentários|deixe um comentário|deixe uma resposta|boletim|assine|' +
    'inscreva-se|assine nossa newsletter|subscreva a nossa newsletter|compartilhar|compartilhe|partilhar|partilhe|' +
    'siga-nos|etiquetas|marcadores|sobre o autor|publicidade|anúncio|patrocinado',
  it:
    'articoli correlati|articoli simili|notizie correlate|contenuti correlati|post correlati|prodotti correlati|' +
    'potrebbe interessarti|potrebbe interessarti anche|ti potrebbe interessare|ti potrebbe interessare anche|' +
    'potrebbe piacerti anche|leggi anche|continua a leggere|consigliati|consigliato per te|i più letti|più letti|' +
    'più popolari|ultime notizie|articoli recenti|ultimi articoli|commenti|lascia un commento|lascia una risposta|' +
    'iscriviti|iscriviti alla newsletter|condividi|condividi su|condividi questo articolo|seguici|etichette|' +
    "informazioni sull'autore|l'autore|pubblicità|sponsorizzato",
  nl:
    'gerelateerde artikelen|gerelateerde berichten|gerelateerde producten|gerelateerd|verwante artikelen|' +
    'meer over dit onderwerp|lees ook|lees verder|dit vind je misschien ook leuk|misschien vind je dit ook leuk|' +
    'ook interessant|aanbevolen voor jou|meest gelezen|populair|populaire artikelen|laatste nieuws|' +
    'recente berichten|recente artikelen|reacties|opmerkingen|plaats een reactie|geef een reactie|laat een reactie achter|' +
    'nieuwsbrief|schrijf je in|schrijf je in voor onze nieuwsbrief|abonneren|delen|deel dit artikel|deel dit bericht|' +
    'volg ons|over de auteur|advertentie|gesponsord',
  pl:
    'powiązane artykuły|podobne artykuły|podobne wpisy|powiązane wpisy|podobne produkty|powiązane tematy|' +
    'może cię zainteresować|może cię również zainteresować|może ci się spodobać|zobacz też|zobacz także|' +
    'czytaj też|czytaj także|przeczytaj też|przeczytaj także|czytaj dalej|polecane|polecamy|najczęściej czytane|' +
    'najpopularniejsze|popularne|najnowsze|najnowsze artykuły|ostatnie wpisy|komentarze|dodaj komentarz|' +
    'zostaw komentarz|subskrybuj|zapisz się|zapisz się do newslettera|udostępnij|podziel się|obserwuj nas|' +
    'śledź nas|tagi|o autorze|reklama|sponsorowane',
  cs:
    'související články|podobné články|související příspěvky|podobné produkty|související témata|mohlo by vás zajímat|' +
    'mohlo by se vám líbit|čtěte také|přečtěte si také|čtěte dále|doporučujeme|nejčtenější|nejoblíbenější|' +
    'nejnovější články|poslední příspěvky|komentáře|diskuse|přidat komentář|napsat komentář|odebírat|' +
    'přihlásit se k odběru|odběr novinek|sdílet|sdílejte|sdílet článek|sledujte nás|štítky|o autorovi|reklama|inzerce',
  tr:
    'ilgili haberler|ilgili yazılar|ilgili makaleler|ilgili içerikler|ilgili ürünler|ilgili konular|benzer yazılar|' +
    'benzer haberler|benzer ürünler|bunlar da ilginizi çekebilir|ilginizi çekebilir|bunları da beğenebilirsiniz|' +
    'ayrıca okuyun|bunu da oku|okumaya devam et|önerilenler|sizin için önerilenler|en çok okunanlar|' +
    'çok okunanlar|en popüler|popüler yazılar|son haberler|son yazılar|son dakika haberleri|yorumlar|yorum yap|' +
    'yorum yapın|bir yorum bırak|bir cevap yazın|bülten|abone ol|bültenimize abone olun|paylaş|bu yazıyı paylaş|' +
    'bizi takip edin|etiketler|yazar hakkında|reklam|sponsorlu',
  vi:
    'bài viết liên quan|tin liên quan|bài liên quan|tin tức liên quan|sản phẩm liên quan|chủ đề liên quan|' +
    'có thể bạn quan tâm|có thể bạn thích|bạn có thể thích|bạn cũng có thể thích|xem thêm|đọc thêm|đọc tiếp|' +
    'đề xuất cho bạn|đọc nhiều nhất|đọc nhiều|xem nhiều|phổ biến|tin mới nhất|tin mới|bài viết mới|' +
    'bài viết gần đây|bình luận|để lại bình luận|gửi bình luận|viết bình luận|bản tin|đăng ký|đăng ký nhận tin|' +
    'đăng ký nhận bản tin|chia sẻ|chia sẻ bài viết|theo dõi chúng tôi|về tác giả|quảng cáo',
  id:
    'artikel terkait|berita terkait|postingan terkait|pos terkait|konten terkait|produk terkait|topik terkait|' +
    'baca juga|baca selanjutnya|lihat juga|anda mungkin juga suka|mungkin anda suka|anda mungkin suka|rekomendasi|' +
    'rekomendasi untuk anda|terpopuler|paling banyak dibaca|berita populer|artikel populer|berita terbaru|' +
    'artikel terbaru|pos-pos terbaru|komentar|tinggalkan komentar|tinggalkan balasan|buletin|berlangganan|bagikan|' +
    'bagikan artikel ini|bagikan berita ini|ikuti kami|tentang penulis|iklan|bersponsor',
  el:
    'σχετικά άρθρα|σχετικές ειδήσεις|σχετικά νέα|σχετικές αναρτήσεις|σχετικά προϊόντα|παρόμοια άρθρα|' +
    'διαβάστε επίσης|δείτε επίσης|διαβάστε ακόμη|δείτε ακόμη|μπορεί να σας ενδιαφέρει|ίσως σας ενδιαφέρει|' +
    'προτεινόμενα|προτείνουμε|δημοφιλή|πιο δημοφιλή|τα πιο διαβασμένα|τελευταία νέα|τελευταίες ειδήσεις|' +
    'πρόσφατα άρθρα|σχόλια|αφήστε ένα σχόλιο|αφήστε σχόλιο|ενημερωτικό δελτίο|εγγραφή|' +
    'εγγραφείτε στο newsletter|κοινοποίηση|μοιραστείτε το|ακολουθήστε μας|ετικέτες|σχετικά με τον συγγραφέα|διαφήμιση',
  ja:
    '関連記事|関連ニュース|関連リンク|関連商品|関連トピック|関連コンテンツ|関連する記事|この記事に関連するニュース|' +
    'おすすめ記事|おすすめの記事|おすすめ商品|あなたにおすすめ|あなたにおすすめの記事|こちらもおすすめ|' +
    'こちらの記事もおすすめ|あわせて読みたい|合わせて読みたい|人気記事|人気の記事|人気ランキング|アクセスランキング|' +
    '新着記事|最新記事|最新ニュース|最近の投稿|最近の記事|コメント|コメントを残す|コメントする|' +
    'メールマガジン|メルマガ登録|ニュースレター|ニュースレター登録|購読する|シェア|シェアする|この記事をシェア|' +
    'この記事をシェアする|フォローする|フォローしてね|タグ|この記事を書いた人|著者について|広告|スポンサーリンク',
  zh:
    '相关文章|相关新闻|相关阅读|相关推荐|相关内容|相关产品|相关链接|相关主题|相關文章|相關新聞|相關閱讀|相關推薦|' +
    '延伸阅读|延伸閱讀|推荐阅读|推薦閱讀|猜你喜欢|猜你喜歡|你可能也喜欢|你可能也喜歡|您可能感兴趣|您可能感興趣|' +
    '为你推荐|為你推薦|热门文章|熱門文章|热门推荐|熱門推薦|热门新闻|熱門新聞|阅读排行|點閱排行|最新文章|最新消息|' +
    '最新新闻|最新新聞|评论|評論|留言|发表评论|發表評論|发表回复|發佈留言|订阅|訂閱|订阅我们|電子報|订阅电子报|' +
    '訂閱電子報|分享|分享到|分享文章|关注我们|關注我們|追蹤我們|标签|標籤|关于作者|關於作者|广告|廣告|赞助内容',
  ko:
    '관련 기사|관련기사|관련 글|관련글|관련 뉴스|관련뉴스|관련 상품|관련 콘텐츠|관련 게시물|추천 기사|추천기사|' +
    '추천 글|추천 뉴스|추천 상품|함께 보면 좋은 글|함께 읽으면 좋은 글|이런 글은 어떠세요|많이 본 뉴스|' +
    '많이 본 기사|가장 많이 본 기사|인기 기사|인기기사|인기 글|인기글|인기 뉴스|최신 기사|최신기사|최신 뉴스|최신글|' +
    '최근 글|댓글|댓글 남기기|댓글 쓰기|답글 남기기|뉴스레터|뉴스레터 구독|구독|구독하기|공유|공유하기|기사 공유|' +
    '팔로우하기|태그|저자 소개|글쓴이 소개|광고|이 글 공유하기',
  ar:
    'مقالات ذات صلة|أخبار ذات صلة|مواضيع ذات صلة|مواضيع مشابهة|مقالات مشابهة|موضوعات متعلقة|منتجات ذات صلة|' +
    'اقرأ أيضا|اقرأ أيضًا|إقرأ أيضا|قد يعجبك أيضا|قد يعجبك أيضًا|قد يهمك أيضا|ربما يعجبك أيضا|شاهد أيضا|شاهد أيضًا|' +
    'نوصي به|الأكثر قراءة|الأكثر مشاهدة|الأكثر شعبية|آخر الأخبار|أحدث المقالات|أحدث الأخبار|التعليقات|تعليقات|' +
    'اترك تعليقا|اترك تعليقًا|اترك رد|أضف تعليق|النشرة البريدية|النشرة الإخبارية|اشترك|اشترك في نشرتنا البريدية|' +
    'شارك|مشاركة|شارك المقال|شارك هذا المقال|تابعنا|الوسوم|وسوم|عن الكاتب|إعلان|إعلانات',
  fa:
    'مطالب مرتبط|مقالات مرتبط|اخبار مرتبط|خبرهای مرتبط|نوشته‌های مرتبط|محصولات مرتبط|مطالب مشابه|مقالات مشابه|' +
    'محصولات مشابه|بیشتر بخوانید|همچنین بخوانید|این مطلب را هم بخوانید|شاید بپسندید|شاید دوست داشته باشید|' +
    'پیشنهاد ما|پیشنهاد ویژه|پیشنهادها|پربازدیدترین|پربازدیدترین‌ها|پربازدیدها|محبوب‌ترین‌ها|آخرین اخبار|' +
    'آخرین مطالب|آخرین نوشته‌ها|تازه‌ترین مطالب|نظرات|دیدگاه‌ها|دیدگاه کاربران|دیدگاهتان را بنویسید|ارسال نظر|' +
    'ثبت نظر|خبرنامه|عضویت در خبرنامه|اشتراک‌گذاری|اشتراک گذاری|به اشتراک بگذارید|ما را دنبال کنید|برچسب‌ها|برچسب ها|' +
    'درباره نویسنده|تبلیغات|آگهی',
};

const ASCII = /^[\t\n -~]*$/;
const ENDS = /^[^a-z]+|[^a-z]+$/g;

const words = new Set(Object.values(HEADINGS).flatMap((list) => list.split('|').map(keyOf)));

/** Longer text of a heading is mostly white space, which takes long to remove by other means. */
const MAX_CHARACTERS = 200;

/** Whether a text is, as a whole, a heading of a part that pages add to their content. */
export function isAsideHeading(text: string): boolean {
  return words.has(keyOf(text.length > MAX_CHARACTERS ? text.replace(/\s+/gu, ' ').trim() : text));
}

/** A text without what writers of the same words vary: case, accents, counts, and signs around the words. */
function keyOf(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'").replace(ENDS, '').replace(/\s+/g, ' ');
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]|\u200c/gu, '')
    .replace(/[‘’ʼ`´]/gu, "'")
    .replace(/ı/gu, 'i')
    .replace(/ς/gu, 'σ')
    .replace(/ي/gu, 'ی')
    .replace(/ك/gu, 'ک')
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .replace(/\s+/gu, ' ');
}
