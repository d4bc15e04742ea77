/** `\b` and `\w` as they are meant in every language: an Ä is a letter, too. */
function unicodeWords(pattern: RegExp): RegExp {
  const letter = String.raw`[\p{L}\p{N}]`;
  const edge = `(?:(?<=${letter})(?!${letter})|(?<!${letter})(?=${letter}))`;
  return new RegExp(pattern.source.replaceAll(String.raw`\b`, edge).replaceAll(String.raw`\w`, letter), 'iu');
}

/** What sites call things, in the languages that are met most: English, German, French, Spanish. */
export const siteWords = {
  login: unicodeWords(
    /\b(log ?in|sign ?in|log ?on|anmelden|einloggen|connexion|se connecter|iniciar sesi[oó]n|entrar)\b/i,
  ),
  logout: unicodeWords(
    /\b(log ?out|sign ?out|log ?off|abmelden|ausloggen|d[eé]connexion|se d[eé]connecter|cerrar sesi[oó]n|salir)\b/i,
  ),
  signUp: unicodeWords(
    /\b(sign ?up|register|registration|join( us| now)?|create (an |your |my )?account|new account|registrieren|konto (erstellen|anlegen)|s.inscrire|inscription|cr[eé]er un compte|registrarse|crear (una )?cuenta)\b/i,
  ),
  forgotten: unicodeWords(/\b(forgot(ten)?|reset|recover|lost|vergessen|zur[uü]cksetzen|oubli[eé]|olvid)\w*/i),
  password: unicodeWords(/\b(password|passwort|kennwort|pin|mot de passe|contrase[nñ]a|passphrase)\b/i),
  change: unicodeWords(/\b(change|update|[aä]ndern|changer|modifier|cambiar)\b/i),
  current: unicodeWords(/\b(current|old|existing|aktuell\w*|alt\w*|actuel|actual)\b/i),
  newsletter: unicodeWords(
    /\b(newsletter|subscribe|subscription|mailing list|news by (e-?)?mail|(e-?mail|job|price) (updates|alerts)|updates by e-?mail|digest|stay informed|keep (me|us) (posted|informed|up to date)|abonnieren|s.abonner|suscri\w+|bolet[ií]n)\b/i,
  ),
  contact: unicodeWords(
    /\b(contact|get in touch|write to us|enquir\w+|inquir\w+|kontakt|nous contacter|contacto|support request|still stuck|need help|ask us)\b/i,
  ),
  message: unicodeWords(/\b(message|question|enquiry|inquiry|comments?|how can we help|nachricht|anliegen|mensaje)\b/i),
  feedback: unicodeWords(
    /\b(feedback|reviews?|rating|rate|stars|useful|helpful|comment|bewert\w+|avis|rese[nñ]a|opini[oó]n)\b/i,
  ),
  addToCart: unicodeWords(
    /\b(add to (the |my )?(cart|basket|bag|trolley)|in den warenkorb|ajouter au panier|a[nñ]adir (al|a la) (carrito|cesta)|buy now)\b/i,
  ),
  cart: unicodeWords(/\b(cart|basket|shopping bag|trolley|warenkorb|panier|carrito|cesta)\b/i),
  quantity: unicodeWords(/\b(quantit\w+|qty|menge|anzahl|quantit[eé]|cantidad)\b/i),
  voucher: unicodeWords(
    /\b(voucher|coupon|promo(tion)?( code)?|discount code|gift ?card|gutschein\w*|code promo|cup[oó]n)\b/i,
  ),
  redeem: unicodeWords(/\b(redeem|apply|einl[oö]sen|appliquer|aplicar|canjear)\b/i),
  checkout: unicodeWords(
    /\b(check ?out|place (your |the )?order|kasse|zur kasse|caisse|commander|finalizar|tramitar pedido)\b/i,
  ),
  delivery: unicodeWords(
    /\b(delivery|shipping|billing|payment|lieferung|versand|zahlung|livraison|paiement|env[ií]o|pago)\b/i,
  ),
  booking: unicodeWords(
    /\b((?<!\b(guest|visitors['’]?|address|phone|photo|an?|the|this|new|add|edit|save|delete) )book|booking|appointment|reserv\w+|hold this|place a hold|schedule|vormerk\w*|réserv\w+|termin\w*|rendez-vous|cita|buchen)\b/i,
  ),
  slot: unicodeWords(/\b(time|slot|day|date|uhrzeit|datum|heure|hora|fecha)\b/i),
  track: unicodeWords(
    /\b(track(ing)?|status|reference( number)?|order number|case number|sendung\w*|verfolg\w+|suivi|seguimiento|aktenzeichen)\b/i,
  ),
  upload: unicodeWords(/\b(upload|import|attach|hochladen|importieren|t[eé]l[eé]verser|subir|importar)\b/i),
  settings: unicodeWords(
    /\b(settings?|preferences|profile|my details|account details|contact details|personal (details|data)|my data|configuration|kontaktdaten|stammdaten|meine daten|mes informations|mis datos|einstellungen|profil|param[eè]tres|ajustes|perfil)\b/i,
  ),
  save: unicodeWords(/\b(save|update|apply changes|store|speichern|aktualisieren|enregistrer|guardar)\b/i),
  edit: unicodeWords(/\b(edit|change|modify|bearbeiten|[aä]ndern|modifier|editar)\b/i),
  create: unicodeWords(
    /\b(create|new|add|invite|save|send invitation|anlegen|neu\w*|hinzuf[uü]gen|cr[eé]er|ajouter|crear|nuevo|a[nñ]adir)\b/i,
  ),
  remove: unicodeWords(
    /^(×|✕|✖|🗑️?|x)$|\b(delete|remove|discard|erase|l[oö]schen|entfernen|supprimer|eliminar|borrar)\b/i,
  ),
  next: unicodeWords(/\b(next|continue|proceed|weiter|suivant|siguiente|continuar)\b/i),
  calculate: unicodeWords(
    /\b(calculat\w+|calculator|estimat\w+|compute|work out|checker|check (your |the |my )?(price|salary|rate|cost|eligibility)|berechn\w+|rechner|calcul\w*|simul\w+)\b/i,
  ),
  search: unicodeWords(/🔍|🔎|⌕|\b(search|find|look ?up|suche\w*|finden|recherche\w*|chercher|buscar|encontrar)\b/i),
  filter: unicodeWords(
    /\b(filters?|narrow|refine|show|apply|go|categor\w+|status|kind|topic|price|brand|filtern|anwenden|filtrer|filtrar)\b/i,
  ),
  sort: unicodeWords(/\b(sort(ed)?( by)?|order by|sortier\w*|trier|ordenar)\b/i),
  language: unicodeWords(
    /^(english|deutsch|german|fran[cç]ais|french|espa[nñ]ol|spanish|italiano|nederlands|polski|t[uü]rk[cç]e|portugu[eê]s|svenska|dansk|norsk|suomi|русский|українська|中文|日本語|한국어|العربية|en|de|fr|es|it|nl|pl|pt|mi|te reo māori|cymraeg|gaeilge)$/i,
  ),
  consent: unicodeWords(/\b(cookies?|consent|tracking)\b/i),
  publish: unicodeWords(/\b(publish|post|start|compose|ver[oö]ffentlichen|publier|publicar)\b/i),
  send: unicodeWords(/\b(send|submit|senden|absenden|abschicken|envoyer|enviar)\b/i),
  accept: unicodeWords(
    /\b(accept|agree|allow|reject|decline|refuse|only necessary|akzeptieren|ablehnen|accepter|refuser|aceptar|rechazar)\b/i,
  ),
  faq: unicodeWords(/\b(faqs?|frequent(ly asked)?|questions|help|h[aä]ufige fragen|hilfe|aide|ayuda)\b/i),
  dashboard: unicodeWords(/\b(dashboard|overview|home screen|control panel|[uü]bersicht|tableau de bord|panel)\b/i),
  history: unicodeWords(
    /\b(orders|history|invoices|transactions|bookings|purchases|statements|loans|borrowed|ausleihen|buchungen|bestellungen|rechnungen|commandes|factures|pedidos|facturas)\b/i,
  ),
  forward: unicodeWords(
    /^((show|load|see|view) (more|older|next)\b.{0,40}|(next|older|more) (page|posts|results|topics|entries|items|products|articles)|next|older|more|weiter|n[aä]chste|suivant|siguiente|›|»|→|>|>>)$/i,
  ),
  backward: unicodeWords(
    /^(prev(ious)?|newer|back|zur[uü]ck|vorherige|pr[eé]c[eé]dent|anterior|‹|«|←|<|<<|previous page)$/i,
  ),
  apply: unicodeWords(/\b(apply|application|claim|antrag|beantragen|demande|solicitud|register for)\b/i),
} as const satisfies Record<string, RegExp>;

/** What is never followed: it would end the session, pay, or take something away. */
const harmfulWords = unicodeWords(
  /\b(delete|remove|destroy|discard|erase|purge|revoke|deactivate|disable|unsubscribe|cancel (order|booking|subscription|account)|close account|pay( now)?|buy now|place order|order now|checkout now|confirm order|reset all|wipe|approve|reject|publish|archive|l[oö]schen|entfernen|bezahlen|k[uü]ndigen|abbestellen|supprimer|payer|eliminar|borrar|pagar)\b/i,
);

/** Words of a link or a button that is never followed. */
export function isHarmfulText(text: string): boolean {
  return siteWords.logout.test(text) || harmfulWords.test(text);
}

/** The same in an address. */
export const harmfulPath =
  /(^|[/?&=_-])(log[-_]?out|sign[-_]?out|log[-_]?off|delete|remove|destroy|purge|erase|revoke|unsubscribe|deactivate|disable|cancel|pay|vote|like|approve|reject|toggle|abmelden|loeschen|kuendigen|deconnexion|supprimer|eliminar)([/?&=_.-]|$)|[/?&](cart|basket|wishlist)[/_-]?add|[?&](action|do|op|cmd|delete|remove)=/i;
