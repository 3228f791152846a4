// The MARC code of the place of publication (008/15-17), where the text of a place ends with the name of
// a country, a state of the USA or a province of Canada. Countries are those of the vocabulary; a country
// that is missing here is coded as unknown.

import type { LabelledCode } from '../record-accessor.js'

/** MARC's code for a place that is unknown or not determined. */
export const unknownPlace = 'xx '

/**
 * @param places texts such as `Leeds, England`
 * @param findCountry finds a country's code in ISO 3166 by its English name
 */
export function placeCode(
  places: readonly string[],
  findCountry: (name: string) => LabelledCode['code'] | undefined,
): string {
  for (const place of places) {
    const name = (place.split(',').at(-1) ?? '').replace(/[[\]?.]/g, '').trim()
    const code = regions.get(name.toLowerCase()) ?? countries.get(findCountry(name) ?? '')
    if (code !== undefined) return code.padEnd(3)
  }
  return unknownPlace
}

const pairs = (text: string): (readonly [string, string])[] =>
  text.split(';').map((pair) => pair.trim().split('=') as [string, string])

// Names that MARC has codes of its own for, and short names of countries.
const regions: ReadonlyMap<string, string> = new Map(
  pairs(`
    england=enk; scotland=stk; wales=wlk; northern ireland=nik; uk=xxk; great britain=xxk; gb=xxk;
    usa=xxu; us=xxu; united states of america=xxu; ussr=xxr; the netherlands=ne; holland=ne;
    alabama=alu; alaska=aku; arizona=azu; arkansas=aru; california=cau; colorado=cou; connecticut=ctu;
    delaware=deu; district of columbia=dcu; florida=flu; hawaii=hiu; idaho=idu;
    illinois=ilu; indiana=inu; iowa=iau; kansas=ksu; kentucky=kyu; louisiana=lau; maine=meu; maryland=mdu;
    massachusetts=mau; michigan=miu; minnesota=mnu; mississippi=msu; missouri=mou; montana=mtu;
    nebraska=nbu; nevada=nvu; new hampshire=nhu; new jersey=nju; new mexico=nmu; new york=nyu;
    north carolina=ncu; north dakota=ndu; ohio=ohu; oklahoma=oku; oregon=oru; pennsylvania=pau;
    rhode island=riu; south carolina=scu; south dakota=sdu; tennessee=tnu; texas=txu; utah=utu;
    vermont=vtu; virginia=vau; washington=wau; west virginia=wvu; wisconsin=wiu; wyoming=wyu;
    alberta=abc; british columbia=bcc; manitoba=mbc; new brunswick=nkc; newfoundland and labrador=nfc;
    northwest territories=ntc; nova scotia=nsc; nunavut=nuc; ontario=onc; prince edward island=pic;
    quebec=quc; québec=quc; saskatchewan=snc; yukon=ykc;
    australian capital territory=aca; new south wales=xna; northern territory=xoa; queensland=qea;
    south australia=xra; tasmania=tma; victoria=vra; western australia=wea
  `),
)

// MARC Code List for Countries, by ISO 3166-1.
const countries: ReadonlyMap<string, string> = new Map(
  pairs(`
    AR=ag; AT=au; AU=at; BD=bg; BE=be; BG=bu; BO=bo; BR=bl; BY=bw; CA=xxc; CH=sz; CL=cl; CN=cc; CO=ck;
    CR=cr; CU=cu; CY=cy; CZ=xr; DE=gw; DK=dk; EC=ec; EE=er; EG=ua; ES=sp; FI=fi; FR=fr; GB=xxk; GE=gs;
    GR=gr; GT=gt; HR=ci; HU=hu; ID=io; IE=ie; IL=is; IN=ii; IR=ir; IS=ic; IT=it; JM=jm; JP=ja; KE=ke;
    KR=ko; LB=le; LT=li; LU=lu; LV=lv; MA=mr; MT=mm; MX=mx; MY=my; NG=nr; NL=ne; NO=no; NZ=nz; PE=pe;
    PH=ph; PK=pk; PL=pl; PT=po; PY=py; RO=rm; RS=rb; RU=ru; SE=sw; SG=si; SI=xv; SK=xo; TH=th; TR=tu;
    TW=ch; UA=un; US=xxu; UY=uy; VE=ve; VN=vm; ZA=sa
  `),
)
