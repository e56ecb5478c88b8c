import type { ClaimPhrases } from "../claim-phrases.ts";

export const en: ClaimPhrases = {
  acts: {
    cancel: "cancell?ed|voided|terminated|stopped|revoked|withdrawn|called off|halted|reversed|undone",
    refund:
      "refunded|reimbursed|credited|dropped|lifted|written off|taken off|paid|compensated|waived|returned|repaid",
    change:
      "changed|updated|modified|adjusted|edited|corrected|amended|switched|moved|extended|reset|unlocked|upgraded|downgraded|(?:re|de)?activated|applied|enabled|disabled|replaced|renewed|rescheduled|added|swapped|fixed|merged|linked|restored|blocked|paused|redirected|rerouted|postponed|exchanged|unblocked|resumed|converted|frozen|expedited|prioriti[sz]ed|put",
    remove: "deleted|removed|erased|unsubscribed|closed|wiped|purged|opted out",
    send: "sent|popped|e ?mailed|mailed|shipped|dispatched|posted|texted|resent|issued|delivered",
    create:
      "created|opened|booked|re ?ordered|ordered|reserved|registered|scheduled|logged|filed|submitted|raised|placed|generated|arranged|subscribed|recorded|initiated|requested|set up|made|saved|noted|signed up|enrolled|lodged|started|put in|put through",
    handoff:
      "escalated|notified|informed|alerted|transferred|connected|passed|handed|contacted|asked|told|called|flagged|reported|assigned|looped|brought in|paged|reached out|forwarded|messaged|referred|spoken|let the",
    done: "done|completed|processed|confirmed|resolved|finali[sz]ed|finished|taken care|sorted|handled|settled|dealt|secured|approved|executed|implemented|carried out|performed|actioned|fulfilled|verified|complete|fixed",
  },
  does: "cancel|refund|reimburse|credit|change|update|reset|unlock|extend|replace|delete|remove|close|unsubscribe|send|e ?mail|mail|ship|issue|book|reserve|open|create|file|submit|raise|schedule|escalate|notify|inform|alert|transfer|connect|pass|hand|forward|process|sort|arrange|activate|apply|waive|flag|register|place|reschedule|take care|get that|get this|get it|make (?:that|the|this)|put (?:you|this|that) through|let (?:the|my|a|our) (?:team|colleague|person|manager|supervisor)\\w*(?: know)?|ask (?:a|my|the|our)|upgrade|put",
  hints:
    "cancell?ing|refunding|reimbursing|crediting|changing|updating|resetting|unlocking|extending|replacing|deleting|removing|closing|sending|e ?mailing|issuing|booking|reserving|opening|creating|filing|submitting|escalating|notifying|informing|alerting|transferring|connecting|passing|handing|forwarding|processing|sorting|arranging|activating|applying|putting|receive|get|hear|see|reach|contact|call|respond|reply|join|follow|review|arrive|through|way|set|effect|progress|underway|success\\w*|ready|touch|it|with|over|back|works|go|live|active|button|did|yes|took|off|now|coming|come|pick\\w*|collect\\w*|visit\\w*|deliver",
  own: "your|you|the|this|that|it|its|everything|all|both|they|these|those|my|an? (?:new |full |partial )?(?:refund|ticket|case|replacement|colleague|teammate|return|confirmation|request|credit|voucher|e ?mail|agent|order|appointment|label|link|supervisor|manager|specialist|person|human|member)|(?:order|ticket|case|request|refund|payment|subscription|booking|account|address|appointment|invoice|delivery|parcel|cancellation|password|plan|reservation|return|membership|team|someone|somebody|support)",
  adverbs:
    "also|already|just|now|successfully|gone ahead and|went ahead and|go ahead and|hereby|immediately|automatically|fully|personally|indeed|finally|officially|then|therefore|both|all|happily|proactively|manually|completely|today|still|actually|in fact|of course|right away|right now|for you|duly|kindly|currently|since|even|managed to|shortly|soon|promptly|gladly|definitely|certainly|be|been|to|therefore|instantly|directly|once again|again|only",
  we: [
    "(?:i|we|our (?:team|system|staff|support team)|my (?:team|colleagues?|manager))(?: (?:ve|have|has|had|d|did|<adv>))*(?: , [^,]{1,40} ,)? <act>",
    "(?:i|we)(?: (?:am|m|are|re|was|were|have been|ve been|<adv>))+ (?:cancell?ing|refunding|reimbursing|crediting|resetting|unlocking|extending|replacing|deleting|removing|closing|e ?mailing|issuing|booking|reserving|opening|creating|filing|submitting|escalating|notifying|informing|alerting|transferring|connecting|passing|handing|forwarding|processing|arranging|activating|applying|putting)",
    "(?:i|we)(?: (?:am|m|are|re|<adv>))+ (?:changing|updating|sending|sorting|getting|looking)(?: (?:you|your|this|that|it|the|a|an|out|into))",
    "i(?: (?:ll|will|shall|am going to|m going to|am about to|m about to|<adv>))+ <do>",
    "(?:i|we) (?:went|ve gone|have gone) ahead",
    "i (?:can )?(?:hereby )?confirm (?:the|your) (?:cancellation|refund|change|booking|return|transfer)",
    "(?:i|we)(?: <adv>)* (?:hit|pressed|clicked)(?: [^ ,]+){0,4} button",
    "(?:cancell?ing|refunding|deleting)(?: it| that| this)? (?:right )?now(?= ,|$)",
    "yes , (?:i|we) (?:did|have)(?= ,|$)",
    "(?:i|we|they)(?: (?:ve|have|<adv>))* took (?:[^ ,]+ ){1,4}off",
  ],
  was: [
    "your(?: [^ ,]+){0,3} (?:slot|appointment|booking|address|plan|date|number|e ?mail|name|seat|table)(?: [^ ,]+){0,2} is now",
    "(?:has|s|ve)(?: <adv>)* been(?: <adv>)* <act>",
    "(?:have|had)(?: <adv>)* been(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,6} (?:was|were|got|is now|are now|is already|is hereby|has now|re now|s now|s already)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,6} (?:have|has|s)(?: <adv>)* (?:gone through|taken effect|cleared|shipped|left|started|begun)",
    "<own>(?: [^ ,]+){0,6} (?:went through|took effect|kicked in)",
    "<own>(?: [^ ,]+){0,5} (?:is|s|are|re)(?: <adv>)* (?:on (?:its|the|their) way|complete|in progress|underway|under way|through|successful|in place|in effect|active now|live|in the works|being [^ ]+ed|cancell?ed and|refunded and|gone|good to go|all set|taken care)",
    "(?:refund|cancellation|change|update|request|transfer|booking|order|return|payment|removal|deletion)(?: [^ ,]+){0,3} (?:successful|succeeded|completed|complete|confirmed|processed|done|initiated|issued|submitted)(?= ,|$| if)",
    "successfully <act>",
    "(?:refund|order|replacement|money|parcel|package|credit|confirmation) , on (?:its|the) way",
    "(?:money|refund|amount|funds)(?: <adv>)* (?:is|are)(?: <adv>)* back",
    "(?:consider|considered) (?:it|this|that) (?:done|sorted|handled|cancelled)",
    "you (?:are|re)(?: <adv>)* (?:all set|good to go|covered|sorted|subscribed|unsubscribed|registered|booked|refunded|enrolled|connected|signed up)",
  ],
  is: ["your(?: [^ ,]+){0,5} (?:is|s|are)(?: <adv>)* <act>(?= , \\d+$| \\d+$|$)"],
  soon: [
    "(?:courier|driver|technician|engineer|van|carrier|colleague|someone|somebody)(?: [^ ,]+){0,3} (?:is coming|will come|is picking|will pick|is collecting|will collect|will visit|will deliver|is visiting)",
    "<own>(?: [^ ,]+){0,6} (?:is|s|are|re)(?: <adv>)* <act>(?= ,|$| now| for you| as requested| successfully| too| and | with | effective| as of| already| in full| without)",
    "your(?: [^ ,]+){0,5} (?:is|s|are)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,6} (?:is|s|are|re)(?: <adv>)* being(?: <adv>)* (?:<act>|looked|reviewed|worked)",
    "<own>(?: [^ ,]+){0,6} (?:will|ll|is going to|s going to|should)(?: <adv>)* (?:be )?(?:<act>|back in|with you|on its way|in touch)",
    "we(?: (?:ll|will|shall|are going to|re going to|<adv>))+ <do> (?:you|your|it|this|that|the|an?|over)",
    "we(?: (?:ll|will|shall|are going to|re going to))(?: <adv>)* (?:be in touch|get back|contact|call|reach|follow|take care|look into|have (?:it|that|this|someone|a))",
    "let me(?: <adv>)* (?:cancel|refund|transfer|connect|escalate|process|book|reset|put you|pass|hand|send|forward)",
    "you(?: (?:will|ll|should|shall|are going to|re going to|can expect to|are about to|<adv>))+ (?:receive|get|hear|see)(?: [^ ,]+){0,7} (?:e ?mail|message|text|sms|call|confirmation|refund|money|credit|replacement|notification|letter|reply|answer|from|back|invoice|label|parcel|package|voucher|code|update|amount|shortly|soon)",
    "you(?: (?:will|ll|should))(?: <adv>)* be (?:contacted|called|connected|transferred|e ?mailed|refunded|credited|reimbursed|notified|informed)",
    "(?:expect|look out for|watch for|keep an eye out for|check your inbox for) (?:an?|the|your|our) (?:[^ ,]+ ){0,3}(?:e ?mail|confirmation|call|refund|message|reply)",
    "(?:colleague|teammate|team|someone|somebody|agent|specialist|representative|manager|person|human|technician|expert|member|supervisor|department|support)(?: [^ ,]+){0,4} (?:will|ll|is|has|have|was|were|are)(?: <adv>)* (?:be )?(?:contact(?:ing|ed)?|call(?:ing|ed)?|reach(?:ing|ed)?|get(?:ting)?|in touch|e ?mail(?:ing|ed)?|join(?:ing|ed)?|tak(?:e|en|ing)|respond\\w*|reply\\w*|notified|informed|alerted|assigned|asked|look(?:ing)?|on (?:it|the case|the way|its way|their way)|review\\w*|handl\\w*|help you|with you|connected|follow\\w*|aware|work(?:ing)?|received|picked|been|writing|write|brought|paged|messaged|told)",
    "(?:an?|your|the|this|that|our) (?:[^ ,]+ ){0,3}(?:e ?mail|confirmation|message|refund|money|credit|replacement|label|amount|parcel|package|voucher|invoice|link|code|funds|ticket|reply)(?: [^ ,]+){0,4} (?:will|ll|should|is going to)(?: <adv>)* (?:arrive|reach|be|appear|follow|show up|come|land|go out|hit)",
    "(?:it|this|that|everything) (?:s|is)(?: <adv>)* (?:done|sorted|handled|fixed|settled|resolved|taken care)",
  ],
  over: [
    "(?:you|we)(?: <adv>)* (?:no longer|don t|do not|won t|will not|will no longer)(?: <adv>)* (?:have|be charged|be billed|pay|get charged)(?: [^ ,]+){0,4} (?:subscription|contract|membership|plan|booking|reservation|any ?more|again|any longer)",
    "you (?:will no longer|no longer|are no longer|re no longer|won t)(?: <adv>)* (?:be )?(?:charged|billed|subscribed|registered|enrolled|booked|a member|a subscriber)",
    "(?:your|the|this|that)(?: [^ ,]+){0,3} (?:subscription|contract|membership|plan|order|booking|reservation|account|renewal|trial)(?: <adv>)* (?:(?:is|s|are)(?: <adv>)* no longer (?:active|valid|running|open|in effect)|(?:is not|isn t) (?:active|valid|running|open)(?: any ?more| any longer)|no longer (?:exists?|runs|renews)|(?:will not|won t|will no longer|does not|doesn t)(?: <adv>)* (?:renew|continue|be renewed|be charged)(?: any ?more| again| automatically)?)",
  ],
  nouns: {
    cancel: "cancellation",
    refund: "refunds?|reimbursement|credit note",
    change: "address change|change of address|update",
    send: "replacement|shipment|confirmation",
    create: "booking|new order|ticket",
  },
  alone:
    "(?:(?:all|it s|it is|that s|that is|everything s|everything is|and|you re|you are|ok|okay|great|perfect|sure|your|the|order|refund|request|address|subscription|payment|booking|account|ticket|status|cancellation|email|e mail|confirmation|now|successfully|for you|as requested|yes|already|both|new|has|been|replacement|return|password|appointment|change|changes|no|number|#?[a-z]*\\d\\w*) )*(?:<act>|all set|good to go|success)(?: (?:for you|now|as requested|and dusted|successfully|too|already|again|in full|today))*",
  unless:
    "if|unless|once|when|whenever|until|till|whether|in case|as soon as|after|before|provided|assuming|would|could|can|may|might|must|how|should you|where|while|(?:[^ ]*s|anything|item|order|product|everything|those|anyone|goods|customer) (?:that|which|who)|whose|want|usually|normally|typically|generally|always|like me to|need to|asks?|example|either|only|shall i|should i|want me to",
  politely:
    "if (?:you|there|anything|this|that|it) (?:[^ ,]+ ){0,5}(?:questions?|else|other|help|further|more|unclear|wrong|any)|if (?:you )?(?:need|want)(?: [^ ,]+){0,3} (?:anything|more|further|else)|let me know (?:if|when|once|whether)|if you (?:do not|don t) (?:see|receive|get)|(?:can|could|may) i (?:help|do)|before (?:you go|we finish)|when i (?:checked|looked)|you (?:can|may)(?: now)? (?:see|check|track|view|find|safely|close)",
  asks: "(?:(?:and|or|so|but) )?(?:is|are|was|were|has|have|had|did|do|does|will|would|can|could|may|shall|should|what|when|where|why|who|how|which)",
  not: "not|no|never|n t|t|nothing|nobody|cannot|without|unable|none|yet to|neither|nor|hardly|isn|hasn",
};
