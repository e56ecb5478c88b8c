import type { ClaimPhrases } from "../claim-phrases.ts";

export const fr: ClaimPhrases = {
  acts: {
    cancel: "(?:annulé|résilié|stoppé|interrompu|arrêté|révoqué)(?:e|s|es)?",
    refund: "(?:remboursé|crédité|recrédité|dédommagé|reversé|versé|restitué)(?:e|s|es)?",
    change:
      "(?:modifié|changé|actualisé|corrigé|prolongé|réinitialisé|débloqué|activé|désactivé|ajouté|remplacé|échangé|renouvelé|reporté|déplacé|appliqué|mis|rétabli|bloqué|ajusté|suspendu|réactivé|enregistré|rectifié|adapté)(?:e|s|es)?",
    remove: "(?:supprimé|effacé|fermé|clôturé|désinscrit|désabonné|retiré)(?:e|s|es)?",
    send: "(?:envoyé|expédié|adressé|transmis|renvoyé|posté|livré|émis)(?:e|s|es)?",
    create:
      "(?:créé|ouvert|réservé|commandé|programmé|planifié|enregistré|soumis|généré|inscrit|lancé|déposé|demandé|effectué|fait|noté|passé|initié|organisé)(?:e|s|es)?",
    handoff:
      "(?:transféré|informé|prévenu|averti|alerté|notifié|contacté|escaladé|signalé|assigné|remonté|mis|transmis|appelé|sollicité|saisi|redirigé|demandé)(?:e|s|es)?",
    done: "(?:fait|terminé|traité|confirmé|résolu|finalisé|réglé|effectué|validé|approuvé|réalisé|accompli|réussi|achevé|enclenché|pris)(?:e|s|es)?",
  },
  does: "annuler?|rembourser?|envoyer?|envoie|changer?|modifier?|transférer?|transfère|supprimer?|effacer?|mettre|mets|passer?|transmettre|transmets|occupe|occuper|créer?|crée|ouvrir|ouvre|réserver?|procéder?|procède|lancer?|lance|confirmer?|prévenir|préviens|informer?|réinitialiser?|résilier?|résilie|contacter?|demander?|faire|fais|traiter|débloquer?|signaler?|escalader?",
  hints:
    "passera|viendra|recevrez|recevoir|recevras|aurez|serez|seras|contactera|contacteront|rappellera|appellera|prendra|reviendra|répondra|rejoindra|occupe|va|vont|arrivera|arrive|parviendra|cours|route|prêt|voie|allez|vas|sera|seront|enverrons|enverrai|rembourserons|rembourserai|annulerai|annulerons|succès|bonne|annulation|remboursement|revenons|reviendrons|contacterons|chose|charge",
  own: "votre|vos|ton|ta|tes|vous|la|le|l|ce|cette|cela|ça|il|elle|c|tout|un|une|commande|remboursement|annulation|demande|compte|adresse|abonnement|ticket|montant|réservation|colis|rendez vous",
  adverbs:
    "bien|déjà|maintenant|immédiatement|automatiquement|aussi|donc|également|tout de suite|directement|à l instant|désormais|juste|d ores et déjà|personnellement|intégralement|entièrement|aujourd hui|correctement|enfin|ainsi|bel et bien|vous|l|la|le|les|lui|leur|en|y|te|t|m|me|nous|dûment|avec succès|été",
  we: [
    "(?:j|je|nous|on|notre équipe|mon équipe|notre système)(?: <adv>)* (?:ai|avons|a)(?: <adv>)*(?: , [^,]{1,40} ,)?(?: <adv>)* <act>",
    "(?:je|j|nous|on)(?: <adv>)* (?:viens|venons|vient) (?:de|d)(?: [^ ,]+){0,4}? <do>",
    "(?:je|nous|on)(?: <adv>)* (?:vais|allons|va)(?: [^ ,]+){0,4}? (?:annuler|rembourser|envoyer|changer|modifier|transférer|supprimer|mettre|passer|transmettre|m en occuper|occuper|créer|ouvrir|réserver|procéder|lancer|prévenir|informer|réinitialiser|résilier|contacter|demander|faire|débloquer|signaler)",
    "(?:je|j) (?:(?:vous|te|l|la|le|les|m en|lui|y|t|en) )*(?:annule|rembourse|envoie|transfère|modifie|change|supprime|mets|passe|transmets|occupe|crée|ouvre|réserve|procède|lance|préviens|informe|réinitialise|résilie|contacte|débloque|signale|annulerai|rembourserai|enverrai|modifierai)",
    "(?:je|on) (?:m|s) en charge",
    "nous (?:(?:vous|te|l|la|le) )+(?:annulons|remboursons|envoyons|transférons|mettons|contactons)",
  ],
  was: [
    "<own>(?: [^ ,]+){0,8}? (?:a|ont|avez|avait)(?: <adv>)* été(?: <adv>)* <act>",
    "(?:votre|vos|ton|ta|tes|vous|c|tout)(?: [^ ,]+){0,8}? (?:est|sont|êtes|es)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,8}? (?:est|sont)(?: <adv>)* <act>(?= ,|$| à votre| pour vous| comme)",
    "(?:la|le|l|il|elle|ce|cette|cela|commande|remboursement)(?: [^ ,]+){0,6}? est (?:bien|déjà|maintenant|désormais)(?: <adv>)* <act>",
    "(?:le nécessaire a été|ça y est|c est) (?:fait|bon|réglé|annulé|parti)",
    "(?:annulation|remboursement|modification|commande|demande)(?: [^ ,]+){0,3} (?:effectué|confirmé|réussi|terminé|traité)e?(?= ,|$)",
    "avec succès",
    "c est chose faite",
  ],
  soon: [
    "vous (?:allez|devriez)(?: <adv>)* (?:recevoir|être|avoir)",
    "(?:tu vas|tu devrais)(?: <adv>)* (?:recevoir|être)",
    "(?:vous|tu) (?:recevrez|recevras|aurez(?! besoin)|serez|seras)(?: [^ ,]+){0,7}",
    "<own>(?: [^ ,]+){0,6}? (?:va|vont|sera|seront)(?: <adv>)* (?:être )?(?:<adv> )*(?:<act>|arriver|parvenir)",
    "(?:collègue|conseiller|conseillère|quelqu un|équipe|personne|agent|technicien|responsable|service client|spécialiste)(?: [^ ,]+){0,5}? (?:va|vont|passera|viendra|contactera|rappellera|appellera|prendra|reviendra|répondra|rejoindra|s en occupe|a été|est (?:informé|prévenu|averti|en route|en train)e?|prend|s occupe|arrive|écrira|vous contacte|étudie|examine|travaille)",
    "nous (?:(?:vous|te|l|la|le|les) )*(?:enverrons|rembourserons|contacterons|reviendrons|annulerons|allons|rappellerons|tiendrons|recontacterons)",
    "(?:votre|le|un|une|la|ton)(?: [^ ,]+){0,3} (?:remboursement|argent|mail|e mail|confirmation|colis|montant|avoir|message|commande)(?: [^ ,]+){0,3} (?:arrive|arrivera|est en (?:cours|route|chemin)|parviendra|suivra|apparaîtra)",
    "<own>(?: [^ ,]+){0,4} est en (?:cours|route|chemin)",
  ],
  over: [
    "(?:votre|ton|l|le|la|cet|cette|ce)(?: [^ ,]+){0,2}? (?:abonnement|contrat|adhésion|forfait|commande|réservation|compte|essai)(?: <adv>)* (?:n est|n a|ne sera|ne s|ne)(?: [^ ,]+){0,2}? plus(?: [^ ,]+){0,4}",
    "(?:vous n avez|tu n as|vous n êtes|tu n es|vous ne serez|tu ne seras)(?: <adv>)* plus (?:d|de|aucun|aucune|abonnée?|inscrite?|prélevée?|facturée?|débitée?|membre)",
  ],
  nouns: {
    cancel: "annulation|résiliation",
    refund: "remboursement|avoir",
    change: "changement d adresse|modification",
    send: "remplacement|confirmation|renvoi",
    create: "réservation|ticket",
  },
  alone:
    "(?:(?:c|est|bien|déjà|votre|la|le|commande|remboursement|demande|adresse|abonnement|annulation|compte|oui|ok|parfait|voilà|tout|a|été|numéro|n|statut|[a-z]*\\d\\w*|réservation) )*<act>(?: (?:pour vous|avec succès|comme demandé))*",
  unless:
    "si|s|lorsque|lorsqu|quand|dès|une fois|pour|afin|peut|pouvez|peuvent|pourrait|pouvoir|peux|pourrais|doit|devez|comment|après|avant|jusqu|tant|en général|généralement|habituellement|normalement|qui ont|qui a|souhaitez|voulez|souhaite|à condition|seulement|toujours|est ce que|sauf",
  politely:
    "si (?:vous|tu|autre|quelque)(?: [^ ,]+){0,6} (?:questions?|besoin|autre|aide|souci)|n hésitez pas|(?:puis je|je peux)(?: vous)? (?:aider|faire)|vous pouvez (?:le|la|maintenant|désormais|suivre|vérifier)|pour (?:vous|toi|votre)",
  not: "ne|n|pas|jamais|rien|aucune?|personne ne|sans|ni|non",
};
