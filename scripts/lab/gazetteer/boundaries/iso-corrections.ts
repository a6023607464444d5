/**
 * ISO 3166-2 codes that are missing, outdated or wrong in iso3166-2-db. For each country: pairs of the division's
 * GeoNames code and its current ISO code. A list that begins with `=` is complete: divisions that are not in it have no
 * code.
 */
export const CORRECTIONS: Readonly<Record<string, string>> = {
  AZ: '29=LAN 30=LA',
  BH: '15=15 16=13 17=14 19=17',
  BW: '12=CH 13=FR 14=GA 15=JW 16=LO 17=SP 18=ST',
  CG: '15=16',
  CL: '18=NB',
  // Letters since 2017.
  CN:
    '01=AH 02=ZJ 03=JX 04=JS 05=JL 06=QH 07=FJ 08=HL 09=HA 10=HE 11=HN 12=HB 13=XJ 14=XZ 15=GS 16=GX 18=GZ 19=LN ' +
    '20=NM 21=NX 22=BJ 23=SH 24=SX 25=SD 26=SN 28=TJ 29=YN 30=GD 31=HI 32=SC 33=CQ',
  CU: 'AR=15 MA=16',
  // Digits since 2016.
  CZ: '52=10 78=64 79=31 80=63 81=41 82=52 83=51 84=71 85=80 86=53 87=32 88=20 89=42 90=72',
  DZ: 'BA=52 BB=50 DJ=56 EM=58 IG=54 IS=53 MG=57 OD=51 TG=55 TM=49',
  EE: '01=37 02=39 03=45 04=52 05=50 07=56 08=60 11=68 12=64 13=71 14=74 18=79 19=81 20=84 21=87',
  ES: '07=IB 27=RI 29=MD 31=MC 32=NC 34=AS 39=CB',
  ET: 'SI=SI SW=SW',
  FR: '94=20R',
  GH: '12=AF 13=BO 14=BE 15=NE 16=OT 17=SV 18=WN',
  GL: '11839534=QT 11839537=AV',
  // Four codes changed in 2023. Ladakh (LA) and the merged union territory of Dadra and Daman (DH) are newer divisions.
  IN: '21=OD 37=CG 39=UK 40=TS 41=LA 52=DH',
  ID: '36=PA 39=PB PD=PD PE=PE PS=PS PT=PT',
  IR:
    '01=04 03=14 04=11 05=17 07=07 08=01 09=13 10=16 11=22 13=05 15=06 16=12 22=18 23=15 25=20 26=23 28=10 29=08 ' +
    '32=24 33=03 34=00 35=02 36=19 37=27 38=26 39=25 40=21 41=29 42=09 43=28 44=30',
  KP: '14=14 19=15',
  KR: '22=50',
  // Since 2022.
  KZ:
    '=01=19 02=75 03=11 04=15 05=71 06=23 07=27 09=47 10=61 11=55 12=35 13=39 14=43 15=63 16=59 17=31 1537272=79 ' +
    '12510143=10 12510144=33 12510145=62',
  LV: '31=113 AN=111 DN=112',
  ME: '24=24 25=25',
  ML: '12070575=10 12070577=9',
  MV: '40=MLE',
  // Counties since 2024.
  NO: '=01=32 04=33 05=56 08=15 09=18 12=03 13=31 14=11 17=40 18=55 20=39 21=50 34=34 42=42 46=46',
  NP: '=1=P1 2=P2 3=P3 4=P4 5=P5 6=P6 7=P7',
  NZ: 'F1=GIS 10=CIT',
  PA: '13=10 NT=NT',
  PG: '07=NSB 21=HLA 22=JWK',
  PK: '07=GB',
  QA: '14=SH',
  RW: '11=02 12=01 13=03 14=04 15=05',
  SL: '05=NW',
  SS: '01=EC 02=EE 03=JG 04=LK 05=BN 06=UY 07=NU 08=WR 09=BW 10=EW',
  TD: '23=BO',
  TW:
    '=CHA=CHA CYI=CYI CYQ=CYQ HSQ=HSZ HSZ=HSQ HUA=HUA ILA=ILA KEE=KEE KHH=KHH KIN=KIN LIE=LIE MIA=MIA NAN=NAN PEN=PEN ' +
    'PIF=PIF TAO=TAO TNN=TNN TPE=TPE TPQ=NWT TTT=TTT TXG=TXG YUN=YUN',
  TZ: '30=29 32=31',
  // The provinces of the 2025 reform. A merged province keeps the code of the province whose name it has.
  VN:
    '=01=HN 04=04 08=07 11=71 12=01 14=05 15=02 19=69 20=09 22=13 24=56 25=68 31=HP 33=66 37=18 38=21 40=22 42=23 ' +
    '44=25 46=26 48=DN 51=29 52=30 56=34 66=33 68=35 75=39 79=SG 80=37 82=45 86=49 91=44 92=CT 96=59',
  YE: '16=SN 28=SU',
  ZA: '02=KZN 06=GP',
};

/** Countries that ISO 3166-2 divides differently from GeoNames, or not at all. */
export const WITHOUT_CODES: ReadonlySet<string> = new Set(
  (
    'AI AS AX BM CK EH FK FO GF GG GI GP GU HK IM JE KY MC MG MK MO MP MQ MS NC NU PF PM PR PS RE RS SJ TC TK VG VI ' +
    'XK YT'
  ).split(' '),
);
/** Divisions with a code in countries that are in `WITHOUT_CODES`. */
export const EXCEPTIONS: Readonly<Record<string, string>> = { 'RS.VO': 'VO' };
