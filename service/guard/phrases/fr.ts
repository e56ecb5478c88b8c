import type { ClaimPhrases } from "../claim-phrases.ts";

export const fr: ClaimPhrases = {
  acts: {
    cancel: "(?:annulé|résilié|stoppé|interrompu|arrêté|révoqué)(?:e|s|es)?",
    refund: "(?:remboursé|crédité|recrédité|dédommagé|reversé|versé|restitué)(?:e|s|es)?",
    change:
      "(?:modifié|changé|actualisé|corrigé|prolongé|réinitialisé|débloqué|activé|désactivé|ajouté|remplacé|échangé|renouvelé|reporté|déplacé|appliqué|mis|rétabli|bloqué|ajusté|suspendu|réactivé|enregistré|rectifié|adapté)(?:e|s|es)?",
    remove: "(?:supprimé|effacé|fermé|clôturé|désinscrit|désabonné|retiré)(?:e|s|es)?",
    send: "(?:envoyé|expédié|(?<!^|(?:votre|vos|ta|tes|la|l|une|cette|d|de) )adressé|transmis|renvoyé|posté|livré|émis)(?:e|s|es)?",
    create:
      "(?:créé|ouvert|réservé|(?<!^|(?:votre|vos|ta|tes|la|l|une|cette|d|de) )commandé|programmé|planifié|enregistré|soumis|généré|inscrit|lancé|déposé|(?<!^|(?:votre|vos|ta|tes|la|l|une|cette|d|de) )demandé|effectué|fait|noté|passé|initié|organisé)(?:e|s|es)?",
    handoff:
      "(?:transféré|informé|prévenu|averti|alerté|notifié|contacté|escaladé|signalé|assigné|remonté|mis|transmis|appelé|sollicité|saisi|redirigé|(?<!^|(?:votre|vos|ta|tes|la|l|une|cette|d|de) )demandé)(?:e|s|es)?",
    done: "(?:fait|terminé|traité|confirmé|résolu|finalisé|réglé|effectué|validé|approuvé|réalisé|accompli|réussi|achevé|enclenché|pris)(?:e|s|es)?",
  },
  does: "annuler?|rembourser?|envoyer?|envoie|changer?|modifier?|transférer?|transfère|supprimer?|effacer?|mettre|mets|passer?|transmettre|transmets|occupe|occuper|créer?|crée|ouvrir|ouvre|réserver?|procéder?|procède|lancer?|lance|confirmer?|prévenir|préviens|informer?|réinitialiser?|résilier?|résilie|contacter?|demander?|faire|fais|traiter|débloquer?|signaler?|escalader?",
  own: "votre|vos|ton|ta|tes|vous|la|le|l|ce|cette|cela|ça|il|elle|c|tout|un|une|commande|remboursement|annulation|demande|compte|adresse|abonnement|ticket|montant|réservation|colis|rendez vous",
  adverbs:
    "bien|déjà|maintenant|immédiatement|automatiquement|aussi|donc|également|tout de suite|directement|à l instant|désormais|juste|d ores et déjà|personnellement|intégralement|entièrement|aujourd hui|correctement|enfin|ainsi|bel et bien|vous|l|la|le|les|lui|leur|en|y|te|t|m|me|nous|dûment|avec succès|été",
  any: "(?![a-z]*(?:able|ible|ante|ente|aire|ique|ive|euse|elle|iere|oire|erse|ide|orme)s?(?= |$))(?!(?:vue?|lue?|comprise?|trouvee?|cherchee?|recherchee?|regardee?|consultee?|verifiee?|expliquee?|decrite?|indiquee?|mentionnee?|repondue?|resumee?|citee?|essayee?|entendue?|apprise?|dite?|pu|voulu|eu|toutes?|plusieurs|besoin|acces|parcourue?|examinee?|listee?|traduite?|constatee?|remarquee?|donnee?|montree?|proposee?|suggeree?|utilisee?|concue?s?|fabriquee?s?|dessinee?s?|testee?s?|livree?s? avec|prevue?s?|incluse?s?|comprise?s?|situee?s?|destinee?s?|requise?s?|limitee?s?|abimee?s?|volee?s?|endommagee?s?|perdue?s?|protegee?s?|garantie?s?|certifiee?s?|concernee?s?|disponibles?|possible|gratuite?s?|valable|necessaire|facile|simple|utile|autre|votre|notre|cette|quelque|entre|encore|aussi|chaque|sous|dans|tres|plus|mais|moins|assez|jamais|mauvaise|bonne|petite|grande|seule|meme|telle|quelle)(?= |$))(?:[a-z]{3,}(?:ees?|es|e|ies?|is|i|ues?|us|u|ises?|ites?|it|ertes?|ert|int))",
  things:
    "panne|probleme|erreur|appareil|surclassement|reparation|commande|colis|livraison|remboursement|retour|remplacement|paiement|prelevement|debit|frais|facture|argent|somme|montant|avoir|credit|remise|bon|caution|virement|cheque|carte|compte|plafond|pret|mot de passe|code|ligne|sim|roaming|itinerance|forfait|contrat|abonnement|adhesion|licence|siege|billet|dossier|reclamation|demande|reservation|vol|chambre|bagages?|valise|rendez vous|adresse|resiliation|annulation|serveur|numero|penalite|option",
  when: "aujourd hui|demain|bientot|sous peu|ce (?:matin|soir)|cet apres midi|(?:d ici |avant |des |ce )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|(?:dans|sous|d ici|en) (?:\\d+|un|une|deux|trois|quelques|les)|(?:le|au|a) \\d+",
  open: {
    ours: [
      "(?:j|je)(?: <adv>)* ai(?: <adv>)* <any>",
      "(?:nous|on)(?: <adv>)* (?:avons|a)(?: <adv>)* <any>(?: [^ ,]+){0,4} (?:vous|votre|vos|ton|ta|te)",
      "(?:nous vous|on vous|nous t|on t|vous)(?: <adv>)* (?:avons|a)(?! été )(?: <adv>)* <any>",
      "je m (?:en )?(?:occupe|charge)",
      "je (?:(?:vous|te|l|la|le|les|lui|y|t|en) )*(?:fais|lance|bloque|debloque|prolonge|ajoute|retire|active|desactive|reporte|deplace|annule|enregistre|note|relance|arrete|coupe|commande|programme|verse|credite)(?: [^ ,]+){0,5}? (?:votre|vos|ton|ta|tes|vous|tout de suite|immediatement|maintenant)",
      "je (?:vous|te|t) (?!(?:propose|conseille|recommande|invite|suggere|explique|remercie|souhaite|prie|comprends|aide|aiderai|demande|dis|donne|montre|rappelle|suis|indique|presente|laisse|reponds|ecoute|assure|epargne|resume|cite|oriente|guide|trouve|vois|entends|ai|en|y|le|la|les|conseillerais|suggererais|recommanderais)(?= |$))[a-z]{3,}(?= |$)",
      "je (?!(?:peux|pourrai|pourrais|dois|veux|voudrais|vois|comprends|lis|trouve|propose|conseille|recommande|suggere|demande|explique|donne|montre|rappelle|indique|connais|sais|suis|ai|regarde|consulte|verifie|n|ne|vous|crois|pense|cite|resume|reponds)(?= ))[a-z]{3,}(?: [^ ,]+){0,3}? (?:votre|vos|ton|ta|tes)(?= )",
    ],
    happened: [
      "(?:votre|vos|ton|ta|tes|<thing>)(?: [^ ,]+){0,3} (?:est|sont)(?: <adv>)* (?:a|de) nouveau [^ ,]+",
      "(?:votre|vos|ton|ta|tes|le|la|l|les|deux|trois|\\d+)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!qui|que)[^ ,]+){0,4}? (?:a|ont)(?: <adv>)* ete(?: <adv>)* <any>",
      "(?:votre|vos|ton|ta|tes|le|la|l|les)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!qui|que)[^ ,]+){0,4}? (?:vient|viennent) (?:d |de )?[a-z]+",
      "(?:votre|vos|ton|ta)(?: (?!qui|que)[^ ,]+){0,4}? (?:est|sont)(?: <adv>)* (?:entre les mains|aupres|chez (?:nos|le|la|notre)|dans les mains|de retour|repasse)",
      "(?:c est|voila|ca y est)(?: [^ ,]+){0,3}? (?:bon|regle|fait|parti|en ordre|resolu|arrange)e?",
      "<act> (?:a jour|en place|en attente)",
      "fait le necessaire",
      "(?:votre|vos|ton|ta)(?: (?!qui|que)[^ ,]+){0,6}? (?:est|sont)(?: <adv>)* <any>(?= ,|$)",
      "(?:le|la|l|notre|nos|un|une)(?: (?!qui|que)[^ ,]+){1,3} (?:a|ont)(?: <adv>)* <any>(?: [^ ,]+){0,3} (?:votre|vos|ton|ta|vous)",
      "(?<=^|, )(?:(?:votre|nouveau|nouvelle|le|la|l) )*(?:<thing>) (?:<adv> )*<act>(?= ,|$)",
      "(?:le|la|l|ce|cette|premium)(?: (?!(?:qui|que|si)(?= ))[^ ,]+){0,6}? (?:est|a ete)(?: <adv>)* (?:debloque|accepte|approuve|accorde|confirme|valide|enregistre|rembourse|annule|active|regle|repare|pris en compte|retabli|modifie|traite)e?(?= ,|$| sur (?:votre|vos|tous)| pour (?:toute|tout|l|le|la) )",
      "(?:le|la|l|ce|cette)(?: (?!(?:qui|que)(?= ))[^ ,]+){1,3}? a ete(?: <adv>)* <any>",
      "(?:les deux|les trois|tous les|toutes les|le|la|l)(?: (?!(?:qui|que)(?= ))[^ ,]+){1,3}? (?:sont|est)(?: <adv>)* (?:coupe|bloque|prolonge|renouvele|reserve|debloque|annule|valide|confirme|change|modifie|suspendu|rembourse|credite|ajoute|retire|active|desactive|ouvert|ferme)e?s?(?= ,|$| jusqu| pour| au| sur)",
      "(?:vous|t) attend(?:ent)?(?= )",
      "(?:le|la|l|votre)(?: [^ ,]+){1,3} (?:reste|demeure)(?: <adv>)* <any>",
      "(?:collegues?|equipe|comptabilite|banque|service|technicien|entrepot|hotel)(?: [^ ,]+){0,2}? (?:a|ont)(?: <adv>)* <any>",
      "(?:<thing>) est(?: <adv>)* (?:ouvert|cree|enregistre|lance|depose|transmis)e?(?= |$)",
    ],
    announced: [
      "(?:vous|tu) (?:verrez|verras|retrouverez|toucherez|recupererez|pourrez voir)(?: [^ ,]+){0,6}? (?:\\d+|revenir|apparaitre|argent|somme|remboursement|montant|compte|carte)",
      "(?:votre|vos|ton|ta|tes|le|la|l)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!qui|que)[^ ,]+){0,4}? (?:se termine|prend fin|s arrete|part|arrive|revient|sera|reviendra|partira|apparaitra|expire)(?: [^ ,]+){0,4}? <when>",
      "(?:technicien|technicienne|coursier|livreur|transporteur|collegue|conseiller|conseillere)(?: [^ ,]+){0,3}? (?:(?:passe|vient|appelle|rappelle|livre|recupere)(?: [^ ,]+){0,5}? <when>|[a-z]{2,}ra(?= |$))",
      "\\d+(?: [^ ,]+){0,3} (?:part|partent|va|vont|arrive|arrivent)(?: [^ ,]+){0,2} (?:vers|sur) (?:votre|vos|ton|ta)",
      "(?:votre|la|le|l) nouve(?:l|au|lle)(?: [^ ,]+){1,3} est (?:de|maintenant)",
      "(?:livreur|livreuse|chauffeur|coursier|technicien)(?: [^ ,]+){0,4}? (?:fait demi tour|arrive|revient|est en)(?: [^ ,]+){0,4}",
      "nous (?:(?:vous|te|l|la|le|les) )?(?!(?:pouvons|devons|voulons|souhaitons|recommandons|conseillons|proposons|remercions|invitons|prions|demandons|avons|sommes|comprenons|regrettons)(?= ))[a-z]{3,}ons (?:votre|vos|ton|ta|tes)(?= )",
    ],
  },
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
    "(?:vous|te|t) (?:contactera|rappellera|appellera|recontactera|écrira|répondra|livrera)(?:ont)?",
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
  you: "vous|votre|vos|te|toi|ton|ta|tes|tu",
  tensed:
    "<act>|(?:ai|as|a|avons|avez|ont|ete)(?: <adv>)* <any>|(?:sont|est|etes|es)(?: <adv>)* <any>|viens?t? (?:de|d)|venons (?:de|d)|maintenant|deja|<when>",
  dated:
    "maintenant|a l instant|hier|ce matin|tout a l heure|il y a (?:\\d+|une?|deux|quelques) (?:minutes?|heures?|jours?|instants?)|desormais|(?:des|a partir d|a partir de) (?:aujourd hui|maintenant|demain)",
  says: "(?<!comme )(?:vous (?:(?:(?:m|nous) )?avez (?:dit|écrit|indiqué|signalé|mentionné|expliqué|précisé|raconté)|(?:(?:me|nous) )?(?:dites|écrivez|indiquez|signalez|précisez))|tu (?:(?:me|nous) )?(?:dis|écris|(?:m )?as (?:dit|écrit|indiqué|signalé)))|d après (?:votre|ton) message",
  unless:
    "si|s|lorsque|lorsqu|quand|dès|une fois|pour|afin|peut|pouvez|peuvent|pourrait|pouvoir|peux|pourrais|doit|devez|comment|après(?! \\d)|avant(?! (?:\\d|midi|la fin|ce soir|demain))|jusqu(?! (?:au (?:\\d|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|a demain))|tant|en général|généralement|habituellement|normalement|qui ont|qui a|souhaitez|voulez|souhaite|à condition|seulement|toujours|est ce que|sauf",
  politely:
    "si (?:vous|tu|autre|quelque)(?: [^ ,]+){0,6} (?:questions?|besoin|autre|aide|souci)|n hésitez pas|(?:puis je|je peux)(?: vous)? (?:aider|faire)|vous pouvez (?:le|la|maintenant|désormais|suivre|vérifier)|pour (?:vous|toi|votre)",
  not: "ne|n|pas|jamais|rien|aucune?|personne ne|sans|ni|non",
};
