import { anyWordOf, unicodePattern, vocabularyPattern, wholeTextPattern, wordStartPattern } from '../../vocabulary.ts';

/** The words that sites use for each concept. One entry answers one question; each column is a language. */
export const siteWords = {
  login: vocabularyPattern({
    en: /log ?in|sign ?in|log ?on/,
    de: /anmelden|einloggen/,
    fr: /connexion|se connecter/,
    es: /iniciar sesi[oó]n|entrar/,
  }),
  logout: vocabularyPattern({
    en: /log ?out|sign ?out|log ?off/,
    de: /abmelden|ausloggen/,
    fr: /d[eé]connexion|se d[eé]connecter/,
    es: /cerrar sesi[oó]n|salir/,
  }),
  signUp: vocabularyPattern({
    en: /sign ?up|register|registration|join( us| now)?|create (an |your |my )?account|new account/,
    de: /registrieren|konto (erstellen|anlegen)/,
    fr: /s.inscrire|inscription|cr[eé]er un compte/,
    es: /registrarse|crear (una )?cuenta/,
  }),
  forgotten: wordStartPattern({
    en: /forgot(ten)?|reset|recover|lost/,
    de: /vergessen|zur[uü]cksetzen/,
    fr: /oubli[eé]/,
    es: /olvid/,
  }),
  password: vocabularyPattern({
    en: /password|pin|passphrase/,
    de: /passwort|kennwort/,
    fr: /mot de passe/,
    es: /contrase[nñ]a/,
  }),
  change: vocabularyPattern({ en: /change|update/, de: /[aä]ndern/, fr: /changer|modifier/, es: /cambiar/ }),
  current: vocabularyPattern({
    en: /current|old|existing|present password/,
    de: /aktuell\w*|alt\w*/,
    fr: /actuel/,
    es: /actual/,
  }),
  newsletter: vocabularyPattern({
    en: /newsletter|subscribe|subscription|mailing list|news by (e-?)?mail|(e-?mail|job|price) (updates|alerts)|updates by e-?mail|digest|stay informed|keep (me|us) (posted|informed|up to date)/,
    de: /abonnieren/,
    fr: /s.abonner/,
    es: /suscri\w+|bolet[ií]n/,
  }),
  contact: vocabularyPattern({
    en: /contact|get in touch|write to us|enquir\w+|inquir\w+|support request|still stuck|need help|ask us/,
    de: /kontakt/,
    fr: /nous contacter/,
    es: /contacto/,
  }),
  message: vocabularyPattern({
    en: /message|question|enquiry|inquiry|comments?|how can we help/,
    de: /nachricht|anliegen/,
    es: /mensaje/,
  }),
  feedback: vocabularyPattern({
    en: /feedback|reviews?|rating|rate|stars|useful|helpful|comment/,
    de: /bewert\w+/,
    fr: /avis/,
    es: /rese[nñ]a|opini[oó]n/,
  }),
  addToCart: vocabularyPattern({
    en: /add to (the |my )?(cart|basket|bag|trolley)|buy now/,
    de: /in den warenkorb/,
    fr: /ajouter au panier/,
    es: /a[nñ]adir (al|a la) (carrito|cesta)/,
  }),
  cart: vocabularyPattern({
    en: /cart|basket|shopping bag|trolley/,
    de: /warenkorb/,
    fr: /panier/,
    es: /carrito|cesta/,
  }),
  quantity: vocabularyPattern({ en: /quantit\w+|qty/, de: /menge|anzahl/, fr: /quantit[eé]/, es: /cantidad/ }),
  voucher: vocabularyPattern({
    en: /voucher|coupon|promo(tion)?( code)?|discount code|gift ?card/,
    de: /gutschein\w*/,
    fr: /code promo/,
    es: /cup[oó]n/,
  }),
  redeem: vocabularyPattern({ en: /redeem|apply/, de: /einl[oö]sen/, fr: /appliquer/, es: /aplicar|canjear/ }),
  checkout: vocabularyPattern({
    en: /check ?out|place (your |the )?order/,
    de: /kasse|zur kasse/,
    fr: /caisse|commander/,
    es: /finalizar|tramitar pedido/,
  }),
  delivery: vocabularyPattern({
    en: /delivery|shipping|billing|payment/,
    de: /lieferung|versand|zahlung/,
    fr: /livraison|paiement/,
    es: /env[ií]o|pago/,
  }),
  booking: vocabularyPattern({
    // A book that is a thing, such as a guest book or "Add a book", is no booking.
    en: /(?<!\b(guest|visitors['’]?|address|phone|photo|an?|the|this|new|add|edit|save|delete) )book|booking|appointment|reserv\w+|hold this|place a hold|schedule/,
    de: /vormerk\w*|termin\w*|buchen/,
    fr: /réserv\w+|rendez-vous/,
    es: /cita/,
  }),
  slot: vocabularyPattern({ en: /time|slot|day|date/, de: /uhrzeit|datum/, fr: /heure/, es: /hora|fecha/ }),
  track: vocabularyPattern({
    en: /track(ing)?|status|reference( number)?|order number|case number/,
    de: /sendung\w*|verfolg\w+|aktenzeichen/,
    fr: /suivi/,
    es: /seguimiento/,
  }),
  upload: vocabularyPattern({
    en: /upload|import|attach/,
    de: /hochladen|importieren/,
    fr: /t[eé]l[eé]verser/,
    es: /subir|importar/,
  }),
  settings: vocabularyPattern({
    en: /settings?|preferences|profile|my details|account details|contact details|personal (details|data)|my data|configuration/,
    de: /kontaktdaten|stammdaten|meine daten|einstellungen|profil/,
    fr: /mes informations|param[eè]tres/,
    es: /mis datos|ajustes|perfil/,
  }),
  save: vocabularyPattern({
    en: /save|update|apply changes|store/,
    de: /speichern|aktualisieren/,
    fr: /enregistrer/,
    es: /guardar/,
  }),
  edit: vocabularyPattern({ en: /edit|change|modify/, de: /bearbeiten|[aä]ndern/, fr: /modifier/, es: /editar/ }),
  create: vocabularyPattern({
    en: /create|new|add|invite|save|send invitation/,
    de: /anlegen|neu\w*|hinzuf[uü]gen/,
    fr: /cr[eé]er|ajouter/,
    es: /crear|nuevo|a[nñ]adir/,
  }),
  remove: unicodePattern(
    `^(×|✕|✖|🗑️?|x)$|\\b(${anyWordOf({
      en: /delete|remove|discard|erase/,
      de: /l[oö]schen|entfernen/,
      fr: /supprimer/,
      es: /eliminar|borrar/,
    })})\\b`,
  ),
  next: vocabularyPattern({ en: /next|continue|proceed/, de: /weiter/, fr: /suivant/, es: /siguiente|continuar/ }),
  calculate: vocabularyPattern({
    en: /calculat\w+|calculator|estimat\w+|compute|work out|checker|check (your |the |my )?(price|salary|rate|cost|eligibility)/,
    de: /berechn\w+|rechner/,
    fr: /calcul\w*|simul\w+/,
  }),
  search: unicodePattern(
    `🔍|🔎|⌕|\\b(${anyWordOf({
      en: /search|find|look ?up/,
      de: /suche\w*|finden/,
      fr: /recherche\w*|chercher/,
      es: /buscar|encontrar/,
    })})\\b`,
  ),
  filter: vocabularyPattern({
    en: /filters?|narrow|refine|show|apply|go|categor\w+|status|kind|topic|price|brand/,
    de: /filtern|anwenden/,
    fr: /filtrer/,
    es: /filtrar/,
  }),
  sort: vocabularyPattern({ en: /sort(ed)?( by)?|order by/, de: /sortier\w*/, fr: /trier/, es: /ordenar/ }),
  language: wholeTextPattern({
    any: /english|deutsch|german|fran[cç]ais|french|espa[nñ]ol|spanish|italiano|nederlands|polski|t[uü]rk[cç]e|portugu[eê]s|svenska|dansk|norsk|suomi|русский|українська|中文|日本語|한국어|العربية|en|de|fr|es|it|nl|pl|pt|mi|te reo māori|cymraeg|gaeilge/,
  }),
  consent: vocabularyPattern({ en: /cookies?|consent|tracking/ }),
  publish: vocabularyPattern({
    en: /publish|post|start|compose/,
    de: /ver[oö]ffentlichen/,
    fr: /publier/,
    es: /publicar/,
  }),
  send: vocabularyPattern({ en: /send|submit/, de: /senden|absenden|abschicken/, fr: /envoyer/, es: /enviar/ }),
  accept: vocabularyPattern({
    en: /accept|agree|allow|reject|decline|refuse|only necessary/,
    de: /akzeptieren|ablehnen/,
    fr: /accepter|refuser/,
    es: /aceptar|rechazar/,
  }),
  faq: vocabularyPattern({
    en: /faqs?|frequent(ly asked)?|questions|help/,
    de: /h[aä]ufige fragen|hilfe/,
    fr: /aide/,
    es: /ayuda/,
  }),
  dashboard: vocabularyPattern({
    en: /dashboard|overview|home screen|control panel/,
    de: /[uü]bersicht/,
    fr: /tableau de bord/,
    es: /panel/,
  }),
  history: vocabularyPattern({
    en: /orders|history|invoices|transactions|bookings|purchases|statements|loans|borrowed/,
    de: /ausleihen|buchungen|bestellungen|rechnungen/,
    fr: /commandes|factures/,
    es: /pedidos|facturas/,
  }),
  forward: wholeTextPattern({
    en: /(show|load|see|view) (more|older|next)\b.{0,40}|(next|older|more) (page|posts|results|topics|entries|items|products|articles)|next|older|more/,
    de: /weiter|n[aä]chste/,
    fr: /suivant/,
    es: /siguiente/,
    any: /›|»|→|>|>>/,
  }),
  backward: wholeTextPattern({
    en: /prev(ious)?|newer|back|previous page/,
    de: /zur[uü]ck|vorherige/,
    fr: /pr[eé]c[eé]dent/,
    es: /anterior/,
    any: /‹|«|←|<|<</,
  }),
  apply: vocabularyPattern({
    en: /apply|application|claim|register for/,
    de: /antrag|beantragen/,
    fr: /demande/,
    es: /solicitud/,
  }),
} as const satisfies Record<string, RegExp>;

/** Words of actions that pay, delete or publish something. */
const harmfulWords = vocabularyPattern({
  en: /delete|remove|destroy|discard|erase|purge|revoke|deactivate|disable|unsubscribe|cancel (order|booking|subscription|account)|close account|pay( now)?|buy now|place order|order now|checkout now|confirm order|reset all|wipe|approve|reject|publish|archive/,
  de: /l[oö]schen|entfernen|bezahlen|k[uü]ndigen|abbestellen/,
  fr: /supprimer|payer/,
  es: /eliminar|borrar|pagar/,
});

/** Whether a link or button says that it ends the session or changes something. The scan never follows it. */
export function isHarmfulText(text: string): boolean {
  return siteWords.logout.test(text) || harmfulWords.test(text);
}
