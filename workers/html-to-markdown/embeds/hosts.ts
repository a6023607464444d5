/** Hosts whose frames are content, with what they show. Subdomains count too. A path is the beginning of the address's path. */
const CONTENT: readonly (readonly [what: string, places: string])[] = [
  ['YouTube video', 'youtube.com youtube-nocookie.com youtu.be'],
  ['Vimeo video', 'vimeo.com'],
  ['Dailymotion video', 'dailymotion.com dai.ly'],
  ['TED talk', 'ted.com'],
  ['Twitch video', 'twitch.tv'],
  ['Loom video', 'loom.com'],
  ['Bilibili video', 'bilibili.com'],
  ['Rutube video', 'rutube.ru'],
  ['TikTok video', 'tiktok.com'],
  [
    'video',
    'wistia.com wistia.net vidyard.com players.brightcove.net jwplatform.com cdn.jwplayer.com kaltura.com streamable.com ' +
      'rumble.com odysee.com ok.ru/videoembed vk.com/video_ext nicovideo.jp v.qq.com player.youku.com facebook.com/plugins/video.php ' +
      'ardmediathek.de zdf.de mediasite.com panopto.com',
  ],
  ['Internet Archive item', 'archive.org/embed archive.org/details'],
  ['Spotify audio', 'spotify.com'],
  ['SoundCloud audio', 'soundcloud.com'],
  [
    'podcast',
    'podcasts.apple.com megaphone.fm simplecast.com buzzsprout.com libsyn.com podbean.com anchor.fm captivate.fm',
  ],
  ['audio', 'bandcamp.com mixcloud.com music.apple.com deezer.com audiomack.com'],
  ['CodePen', 'codepen.io'],
  ['CodeSandbox', 'codesandbox.io'],
  ['JSFiddle', 'jsfiddle.net'],
  ['StackBlitz', 'stackblitz.com'],
  ['GitHub gist', 'gist.github.com'],
  ['code', 'replit.com jsbin.com glitch.com observablehq.com runkit.com trinket.io play.golang.org onecompiler.com'],
  [
    'map',
    'google.com/maps maps.google.com openstreetmap.org bing.com/maps yandex.ru/map-widget umap.openstreetmap.fr mapbox.com',
  ],
  ['document', 'docs.google.com drive.google.com onedrive.live.com view.officeapps.live.com scribd.com issuu.com'],
  ['slides', 'slideshare.net speakerdeck.com slides.com prezi.com'],
  [
    'chart',
    'datawrapper.dwcdn.net flo.uri.sh flourish.studio infogram.com public.tableau.com ourworldindata.org desmos.com geogebra.org',
  ],
  ['board', 'figma.com miro.com airtable.com/embed airtable.com/shr lucid.app'],
  [
    'post',
    'platform.twitter.com/embed twitter.com x.com embed.reddit.com redditmedia.com instagram.com facebook.com/plugins/post.php linkedin.com/embed bsky.app',
  ],
  ['model', 'sketchfab.com'],
];

/** Hosts of advertisements, counters, consents, logins and forms for machines, whatever their frames are called. */
const OTHER = (
  'googletagmanager.com doubleclick.net googlesyndication.com googleadservices.com google-analytics.com adservice.google.com ' +
  'google.com/recaptcha recaptcha.net hcaptcha.com challenges.cloudflare.com accounts.google.com apis.google.com ' +
  'amazon-adsystem.com adnxs.com criteo.com criteo.net taboola.com outbrain.com rubiconproject.com pubmatic.com adform.net ' +
  'consensu.org cookiebot.com trustarc.com onetrust.com privacy-mgmt.com consentmanager.net quantserve.com quantcast.com ' +
  'facebook.com/tr facebook.com/plugins/like.php facebook.com/plugins/page.php facebook.com/plugins/share_button.php ' +
  'platform.twitter.com/widgets addthis.com sharethis.com disqus.com js.stripe.com intercom.io livechatinc.com tawk.to'
).split(' ');

/** What is known of a host, by the beginning of the path. `null`: no content. */
const PLACES: ReadonlyMap<string, ReadonlyMap<string, string | null>> = readPlaces();

function readPlaces(): Map<string, Map<string, string | null>> {
  const places = new Map<string, Map<string, string | null>>();
  const add = (place: string, what: string | null) => {
    const [, host = '', path = ''] = /^([^/]*)\/?(.*)$/.exec(place) ?? [];
    const paths = places.get(host) ?? new Map<string, string | null>();
    places.set(host, paths.set(path, what));
  };
  for (const [what, list] of CONTENT) for (const place of list.split(' ')) add(place, what);
  for (const place of OTHER) add(place, null);
  return places;
}

const MAX_LABELS = 6;
const PARTS = /^\s*(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?/i;
const MAX_ADDRESS = 500;

/** What a frame with an address shows. Null: nothing for readers. Undefined: not known. */
export function contentAt(address: string): string | null | undefined {
  if (address === lastAddress) return lastContent;
  lastContent = findContent(address);
  lastAddress = address;
  return lastContent;
}

/** A frame is looked up several times in a row. */
let lastAddress = '';
let lastContent: string | null | undefined;

function findContent(address: string): string | null | undefined {
  const [, host = '', path = ''] = PARTS.exec(address.slice(0, MAX_ADDRESS)) ?? [];
  const labels = host.toLowerCase().split('.').slice(-MAX_LABELS);
  for (let at = 0; at < labels.length - 1; at += 1) {
    const paths = PLACES.get(labels.slice(at).join('.'));
    if (paths === undefined) continue;
    const [first = '', second = ''] = path.split('/').filter((name) => name !== '');
    for (const place of [`${first}/${second}`, first, '']) {
      const what = paths.get(place);
      if (what !== undefined) return what;
    }
  }
  return undefined;
}
