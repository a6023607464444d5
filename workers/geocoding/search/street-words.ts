const list = (words: string) => new Set(words.split(' '));

/** Words for a street after its name: Main Street. */
export const BEHIND = list(
  'street st avenue ave av road rd boulevard blvd drive dr lane ln way court ct circle cir place pl square sq terrace ter parkway pkwy highway hwy route rte trail trl alley loop row walk close crescent cres gardens mews quay expressway expy freeway fwy turnpike tpke pike causeway plaza esplanade parade grove rise platz strasse str weg allee gasse ring damm ufer markt plein straat laan namesti ulice trg utca korut tere caddesi cad sokak salai marg nagar dori ro gil daero lu jie',
);

/** Words for a street before its name: Rue de Rivoli. */
export const BEFORE = list(
  'rue via viale vicolo piazza piazzale corso largo calle avenida avda paseo carrera cra rua travessa praca alameda estrada rodovia ulica ul aleja al plac os osiedle улица ул проспект просп пр переулок пер бульвар шоссе вулиця вул jalan jl duong pho boulevard bd quai chemin allee impasse strada str bulevardul calea sokak sok cadde cad avenue place plaza c rambla passeig carrer ronda highway route',
);

/** Endings of words that name a street: Hauptstrasse, 사직로. */
export const ENDINGS =
  /.{3}(strasse|str|weg|platz|gasse|allee|damm|ufer|laan|straat|plein|gracht|kade|gatan|vagen|vej|gade|katu|veien|gata|utca|ulitsa)$|\p{Script=Hangul}(로|길)$/u;

/** Words beside a house number: floors, apartments, points of the compass. */
export const AROUND = list(
  'n s e w ne nw se sw north south east west apt apartment suite unit floor room rm building bldg po box nr number flat block level piso etage stock',
);

/** Characters after the name of a street or a house in CJK addresses. */
export const CJK = list('路 街 道 巷 弄 号 號 丁 目 番 地 室 楼 层 〒');

/** Words for a kind of town: Mexico City is not Mexico. In Vietnam, TP stands for one. */
export const TOWN_KINDS = list('city town municipality tp');

/** Words for a kind of division or country: Orange County is not the city of Orange. */
export const AREA_KINDS = list('county province state district region prefecture municipality republic');

/** Points of the compass. With the name of a country they are not the name of a place: the South of France. */
export const BEARINGS = list(
  'north south east west northeast northwest southeast southwest northern southern eastern western central centre center middle nord sud est ouest norte sur sul este leste oeste norden suden osten westen ost sudost sudwest nordost nordwest noord zuid oost',
);

/** Words that say that an airport is meant. */
export const SAYS_AIRPORT =
  /air(port|field|base|forcebase|strip)|afb|aero(port|drom|puerto)|flughafen|flugplatz|lufthavn|flygplats|international|机场|機場|空港|공항|аэропорт/;

/** Words after the name of a ward, which many cities have: Kita-ku. */
export const WARDS = list('ku gu 区 區');

/** Words that stand for a missing value, for the name of a field, or for any place, although places have such names. */
export const NO_PLACES = list(
  'none nan null nil undefined unknown na tbd tba todo test example sample any all other others same here there where home ' +
    'name address street location place country zip code postcode postal value text string field empty blank default ' +
    'island islands river lake sea mountain mount valley hill hills beach bay coast port harbor harbour park bridge saint san santa new old ' +
    'upper lower great big little global world worldwide earth online remote virtual international national regional local ' +
    'apac emea latam amer anz god man men boy girl ben bob sam der die das the and for you yes not true false',
);

/** Words in and before names, which are written with and without them. */
export const PARTICLES = list(
  'of the near in at de del di da do la le les el du des der den am an im upon sur y and und et',
);

/** Words for a kind of place after names in Japan, Korea and China. */
export const SUFFIXES = list('ku shi gu si ken fu cho machi dong');
