/**
 * The systems of the registries of EPSG (v10.076) and ESRI (ArcGIS Pro 3.0) by their names there, as `keyOfName` has
 * them: made by test/support/writeSystemNames.ts.
 */
export const SYSTEM_NAMES = `
  1ceres2015=104972 4vesta2015=104973 abidjan1987=4143 abidjan1987tm5nw=2165 abidjan1987utmzone29n=2043
  abidjan1987utmzone30n=2041 abinva962020grid=9387 abinva962020irf=9384 accra=4168 accraghanagrid=2136
  accraghananationalgrid=2136 accratm1nw=2137 aden1925=6881 adindan=4201 adindanutmzone35n=20135
  adindanutmzone36n=20136 adindanutmzone37n=20137 adindanutmzone38n=20138 aegaeon2015=104878 afgooye=4205
  afgooyeutmzone38n=20538 afgooyeutmzone39n=20539 africaalbersequalareaconic=102022 africaequidistantconic=102023
  africalambertconformalconic=102024 africasinusoidal=102011 agadez=4206 agd1966actgridagczone=102071
  agd1966actstandardgrid=5825 agd1966amgzone48=20248 agd1966amgzone49=20249 agd1966amgzone50=20250
  agd1966amgzone51=20251 agd1966amgzone52=20252 agd1966amgzone53=20253 agd1966amgzone54=20254 agd1966amgzone55=20255
  agd1966amgzone56=20256 agd1966amgzone57=20257 agd1966amgzone58=20258 agd1966isg542=102072 agd1966isg543=102073
  agd1966isg551=102074 agd1966isg552=102075 agd1966isg553=102076 agd1966isg561=102077 agd1966isg562=102078
  agd1966isg563=102079 agd1966isg572=102961 agd1966vicgrid=3110 agd1984amgzone48=20348 agd1984amgzone49=20349
  agd1984amgzone50=20350 agd1984amgzone51=20351 agd1984amgzone52=20352 agd1984amgzone53=20353 agd1984amgzone54=20354
  agd1984amgzone55=20355 agd1984amgzone56=20356 agd1984amgzone57=20357 agd1984amgzone58=20358 agd66=4202
  agd66actstandardgrid=5825 agd66amgzone48=20248 agd66amgzone49=20249 agd66amgzone50=20250 agd66amgzone51=20251
  agd66amgzone52=20252 agd66amgzone53=20253 agd66amgzone54=20254 agd66amgzone55=20255 agd66amgzone56=20256
  agd66amgzone57=20257 agd66amgzone58=20258 agd66vicgrid66=3110 agd84=4203 agd84amgzone48=20348 agd84amgzone49=20349
  agd84amgzone50=20350 agd84amgzone51=20351 agd84amgzone52=20352 agd84amgzone53=20353 agd84amgzone54=20354
  agd84amgzone55=20355 agd84amgzone56=20356 agd84amgzone57=20357 agd84amgzone58=20358 ainelabd=4204
  ainelabd1970aramcolambert2=102204 ainelabdaramcolambert=2318 ainelabdbahraingrid=20499 ainelabdutmzone36n=20436
  ainelabdutmzone37n=20437 ainelabdutmzone38n=20438 ainelabdutmzone39n=20439 ainelabdutmzone40n=20440
  albanian1987=4191 albanian1987gausskrugerzone4=2462 albanian1987gkzone4=2462 americansamoa1962=4169
  americansamoa1962americansamoalambert=3102 americansamoa1962stateplaneamericansamoafips5300=65062
  americansamoa1962utmzone2s=102116 amersfoort=4289 amersfoortrdnew=28992 amersfoortrdold=28991 ammassalik1958=4196
  ammassalik1958greenlandzone7east=2296 anguilla1957=4600 anguilla1957britishwestindiesgrid=2000 anthe2015=104879
  antigua1943=4601 antigua1943britishwestindiesgrid=2001 aratu=4208 aratuutmzone22s=20822 aratuutmzone23s=20823
  aratuutmzone24s=20824 aratuutmzone25s=5337 arc1950=4209 arc1950utmzone34s=20934 arc1950utmzone35s=20935
  arc1950utmzone36s=20936 arc1960=4210 arc1960utmzone35n=21095 arc1960utmzone35s=21035 arc1960utmzone36n=21096
  arc1960utmzone36s=21036 arc1960utmzone37n=21097 arc1960utmzone37s=21037 argentinazone1=22191 argentinazone2=22192
  argentinazone3=22193 argentinazone4=22194 argentinazone5=22195 argentinazone6=22196 argentinazone7=22197
  ascensionisland1958=4712 asialambertconformalconic=102012 asianorthalbersequalareaconic=102025
  asianorthequidistantconic=102026 asianorthlambertconformalconic=102027 asiasouthalbersequalareaconic=102028
  asiasouthequidistantconic=102029 asiasouthlambertconformalconic=102030 astrodos71=4710 astrodos714shlg71=7877
  astrodos714utmzone30s=7878 astrodos71shlg71=7877 astrodos71utmzone30s=7878 atfparis=4901 atfparisnorddeguerre=27500
  atlas2015=104976 atrf2014=9309 atrf20143d=9309 ats1977mtm4novascotia=2294 ats1977mtm5novascotia=2295
  ats1977newbrunswickstereographic=2200 ats1977utmzone19n=2219 ats1977utmzone20n=2220 ats77=4122
  ats77mtmnovascotiazone4=2294 ats77mtmnovascotiazone5=2295 ats77newbrunswickstereographicats77=2200
  ats77princeedwardislstereographicats77=2290 ats77utmzone19n=2219 ats77utmzone20n=2220 australianantarctic=4176
  australianantarctic19983d=4176 australianantarctic3d=4176 austriacentralzone=31282 austriaeastzone=31283
  austriawestzone=31281 ayabellelighthouse=4713 azorescentral1948=4183 azorescentral1948utmzone26n=2189
  azorescentral1995=4665 azorescentral1995utmzone26n=3063 azoresoccidental1939=4182
  azoresoccidental1939utmzone25n=2188 azoresoriental1940=4184 azoresoriental1940utmzone26n=2190
  azoresoriental1995=4664 azoresoriental1995utmzone26n=3062 babsouthpalauazimuthalequidistant=102096
  bahrainstategrid=20499 barbados1938=4212 barbados1938barbadosgrid=21292 barbados1938barbadosnationalgrid=21292
  barbados1938britishwestindiesgrid=21291 batavia=4211 bataviajakarta=4813 bataviajakartaneiez=5330 batavianeiez=3001
  bataviatm109se=2308 bataviautmzone48s=21148 bataviautmzone49s=21149 bataviautmzone50s=21150 bd50=4215
  bd50brussels=4809 bd50brusselsbelgelambert50=21500 bd72=4313 bd72belgelambert72=31300 bd72belgianlambert72=31370
  bda2000=4762 bda2000bermuda2000nationalgrid=3770 beduaram=4213 beduaramtm13ne=2931 beijing1954=4214
  beijing19543degreegausskrugercm102e=2431 beijing19543degreegausskrugercm105e=2432
  beijing19543degreegausskrugercm108e=2433 beijing19543degreegausskrugercm111e=2434
  beijing19543degreegausskrugercm114e=2435 beijing19543degreegausskrugercm117e=2436
  beijing19543degreegausskrugercm120e=2437 beijing19543degreegausskrugercm123e=2438
  beijing19543degreegausskrugercm126e=2439 beijing19543degreegausskrugercm129e=2440
  beijing19543degreegausskrugercm132e=2441 beijing19543degreegausskrugercm135e=2442
  beijing19543degreegausskrugercm75e=2422 beijing19543degreegausskrugercm78e=2423
  beijing19543degreegausskrugercm81e=2424 beijing19543degreegausskrugercm84e=2425
  beijing19543degreegausskrugercm87e=2426 beijing19543degreegausskrugercm90e=2427
  beijing19543degreegausskrugercm93e=2428 beijing19543degreegausskrugercm96e=2429
  beijing19543degreegausskrugercm99e=2430 beijing19543degreegausskrugerzone25=2401
  beijing19543degreegausskrugerzone26=2402 beijing19543degreegausskrugerzone27=2403
  beijing19543degreegausskrugerzone28=2404 beijing19543degreegausskrugerzone29=2405
  beijing19543degreegausskrugerzone30=2406 beijing19543degreegausskrugerzone31=2407
  beijing19543degreegausskrugerzone32=2408 beijing19543degreegausskrugerzone33=2409
  beijing19543degreegausskrugerzone34=2410 beijing19543degreegausskrugerzone35=2411
  beijing19543degreegausskrugerzone36=2412 beijing19543degreegausskrugerzone37=2413
  beijing19543degreegausskrugerzone38=2414 beijing19543degreegausskrugerzone39=2415
  beijing19543degreegausskrugerzone40=2416 beijing19543degreegausskrugerzone41=2417
  beijing19543degreegausskrugerzone42=2418 beijing19543degreegausskrugerzone43=2419
  beijing19543degreegausskrugerzone44=2420 beijing19543degreegausskrugerzone45=2421 beijing19543degreegkcm102e=2431
  beijing19543degreegkcm105e=2432 beijing19543degreegkcm108e=2433 beijing19543degreegkcm111e=2434
  beijing19543degreegkcm114e=2435 beijing19543degreegkcm117e=2436 beijing19543degreegkcm120e=2437
  beijing19543degreegkcm123e=2438 beijing19543degreegkcm126e=2439 beijing19543degreegkcm129e=2440
  beijing19543degreegkcm132e=2441 beijing19543degreegkcm135e=2442 beijing19543degreegkcm75e=2422
  beijing19543degreegkcm78e=2423 beijing19543degreegkcm81e=2424 beijing19543degreegkcm84e=2425
  beijing19543degreegkcm87e=2426 beijing19543degreegkcm90e=2427 beijing19543degreegkcm93e=2428
  beijing19543degreegkcm96e=2429 beijing19543degreegkcm99e=2430 beijing19543degreegkzone25=2401
  beijing19543degreegkzone26=2402 beijing19543degreegkzone27=2403 beijing19543degreegkzone28=2404
  beijing19543degreegkzone29=2405 beijing19543degreegkzone30=2406 beijing19543degreegkzone31=2407
  beijing19543degreegkzone32=2408 beijing19543degreegkzone33=2409 beijing19543degreegkzone34=2410
  beijing19543degreegkzone35=2411 beijing19543degreegkzone36=2412 beijing19543degreegkzone37=2413
  beijing19543degreegkzone38=2414 beijing19543degreegkzone39=2415 beijing19543degreegkzone40=2416
  beijing19543degreegkzone41=2417 beijing19543degreegkzone42=2418 beijing19543degreegkzone43=2419
  beijing19543degreegkzone44=2420 beijing19543degreegkzone45=2421 beijing1954gausskruger13n=21473
  beijing1954gausskruger14n=21474 beijing1954gausskruger15n=21475 beijing1954gausskruger16n=21476
  beijing1954gausskruger17n=21477 beijing1954gausskruger18n=21478 beijing1954gausskruger19n=21479
  beijing1954gausskruger20n=21480 beijing1954gausskruger21n=21481 beijing1954gausskruger22n=21482
  beijing1954gausskruger23n=21483 beijing1954gausskrugercm105e=21458 beijing1954gausskrugercm111e=21459
  beijing1954gausskrugercm117e=21460 beijing1954gausskrugercm123e=21461 beijing1954gausskrugercm129e=21462
  beijing1954gausskrugercm135e=21463 beijing1954gausskrugercm75e=21453 beijing1954gausskrugercm81e=21454
  beijing1954gausskrugercm87e=21455 beijing1954gausskrugercm93e=21456 beijing1954gausskrugercm99e=21457
  beijing1954gausskrugerzone13=21413 beijing1954gausskrugerzone14=21414 beijing1954gausskrugerzone15=21415
  beijing1954gausskrugerzone16=21416 beijing1954gausskrugerzone17=21417 beijing1954gausskrugerzone18=21418
  beijing1954gausskrugerzone19=21419 beijing1954gausskrugerzone20=21420 beijing1954gausskrugerzone21=21421
  beijing1954gausskrugerzone22=21422 beijing1954gausskrugerzone23=21423 beijing1954gkzone13=21413
  beijing1954gkzone13n=21473 beijing1954gkzone14=21414 beijing1954gkzone14n=21474 beijing1954gkzone15=21415
  beijing1954gkzone15n=21475 beijing1954gkzone16=21416 beijing1954gkzone16n=21476 beijing1954gkzone17=21417
  beijing1954gkzone17n=21477 beijing1954gkzone18=21418 beijing1954gkzone18n=21478 beijing1954gkzone19=21419
  beijing1954gkzone19n=21479 beijing1954gkzone20=21420 beijing1954gkzone20n=21480 beijing1954gkzone21=21421
  beijing1954gkzone21n=21481 beijing1954gkzone22=21422 beijing1954gkzone22n=21482 beijing1954gkzone23=21423
  beijing1954gkzone23n=21483 bekaavalley1920=6882 belgelambert1950=21500 belgelambert1972=31370
  belgelambert1972badfefn=102499 belgelambert2005=3447 belgelambert2008=3812 bellevue=4714 berghausstaraag=102299
  bermuda1957=4216 bermuda1957utmzone20n=3769 bermuda20003d=4762 bermuda2000nationalgrid=3770 bern1898bern=4801
  bern1898bernlv03c=21780 bern1938=4306 bgs2005=7798 bgs20053d=7798 bgs2005ccs2005=7801 bgs2005utmzone34n=7803
  bgs2005utmzone34nne=7799 bgs2005utmzone35n=9391 bgs2005utmzone35nne=7800 bgs2005utmzone36n=7805 bioko=6883
  bissau=4165 bissauutmzone28n=2095 bogota1975=4218 bogota1975bogota=4802 bogota1975colombiabogotazone=21897
  bogota1975colombiaeast=21894 bogota1975colombiaeastcentralzone=21898 bogota1975colombiaeastzone=21899
  bogota1975colombiawestzone=21896 bogota1975utmzone17n=21817 bogota1975utmzone18n=21818 bogotaciudadbogota=102232
  bogotautmzone17n=21817 bogotautmzone18n=21818 britishnationalgrid=27700 bukitrimpah=4219 butm2010=102954
  cadastre1997=4475 cadastre19973d=4475 cadastre1997utmzone38s=5879 californiasrsepoch201750nad83=104024
  californiasrsepoch201750nad833d=104644 callisto2015=104873 calypso2015=104977 camacupa1948=4220
  camacupa1948tm1130se=22091 camacupa1948tm12se=22092 camacupa1948utmzone32s=22032 camacupa1948utmzone33s=22033
  camacupa2015=8694 camacupatm1130se=22091 camacupatm12se=22092 camacupautmzone32s=22032 camacupautmzone33s=22033
  campareaastro=4715 campoinchauspe=4221 campoinchauspeargentina1=22191 campoinchauspeargentina2=22192
  campoinchauspeargentina3=22193 campoinchauspeargentina4=22194 campoinchauspeargentina5=22195
  campoinchauspeargentina6=22196 campoinchauspeargentina7=22197 campoinchauspeutm19s=2315 campoinchauspeutm20s=2316
  campoinchauspeutmzone19s=2315 campoinchauspeutmzone20s=2316 canadaalbersequalareaconic=102001
  canadalambertconformalconic=102002 cape=4222 capecanaveral=4717 capelo15=102470 capelo17=102471 capelo19=102472
  capelo21=102473 capelo23=102474 capelo25=102475 capelo27=102476 capelo29=102477 capelo31=102478 capelo33=102479
  capeutmzone34s=22234 capeutmzone35s=22235 capeutmzone36s=22236 carthage=4223 carthagenordtunisie=22391
  carthageparis=4816 carthageparistunisiamininggrid=22300 carthagesudtunisie=22392 carthagetm11ne=2088
  carthageutmzone32n=22332 cassinibangladeshzone01dinajpur=102934 cassinibangladeshzone02rangpur=102935
  cassinibangladeshzone03rajshahi=102936 cassinibangladeshzone04bogura=102937 cassinibangladeshzone05pabna=102938
  cassinibangladeshzone06mymensingh=102939 cassinibangladeshzone07dhaka=102940 cassinibangladeshzone08faridpur=102941
  cassinibangladeshzone09sylhet=102942 cassinibangladeshzone10kushtia=102943 cassinibangladeshzone11joshore=102944
  cassinibangladeshzone12khulna=102945 cassinibangladeshzone13barishal=102946 cassinibangladeshzone14cumilla=102947
  cassinibangladeshzone15noakhali=102948 cassinibangladeshzone16chottogram=102949 cassinibangladeshzone17cht=102950
  caymanislandsnationalgrid2011=6391 cgcs20003degreegausskrugercm102e=4543 cgcs20003degreegausskrugercm105e=4544
  cgcs20003degreegausskrugercm108e=4545 cgcs20003degreegausskrugercm111e=4546 cgcs20003degreegausskrugercm114e=4547
  cgcs20003degreegausskrugercm117e=4548 cgcs20003degreegausskrugercm120e=4549 cgcs20003degreegausskrugercm123e=4550
  cgcs20003degreegausskrugercm126e=4551 cgcs20003degreegausskrugercm129e=4552 cgcs20003degreegausskrugercm132e=4553
  cgcs20003degreegausskrugercm135e=4554 cgcs20003degreegausskrugercm75e=4534 cgcs20003degreegausskrugercm78e=4535
  cgcs20003degreegausskrugercm81e=4536 cgcs20003degreegausskrugercm84e=4537 cgcs20003degreegausskrugercm87e=4538
  cgcs20003degreegausskrugercm90e=4539 cgcs20003degreegausskrugercm93e=4540 cgcs20003degreegausskrugercm96e=4541
  cgcs20003degreegausskrugercm99e=4542 cgcs20003degreegausskrugerzone25=4513 cgcs20003degreegausskrugerzone26=4514
  cgcs20003degreegausskrugerzone27=4515 cgcs20003degreegausskrugerzone28=4516 cgcs20003degreegausskrugerzone29=4517
  cgcs20003degreegausskrugerzone30=4518 cgcs20003degreegausskrugerzone31=4519 cgcs20003degreegausskrugerzone32=4520
  cgcs20003degreegausskrugerzone33=4521 cgcs20003degreegausskrugerzone34=4522 cgcs20003degreegausskrugerzone35=4523
  cgcs20003degreegausskrugerzone36=4524 cgcs20003degreegausskrugerzone37=4525 cgcs20003degreegausskrugerzone38=4526
  cgcs20003degreegausskrugerzone39=4527 cgcs20003degreegausskrugerzone40=4528 cgcs20003degreegausskrugerzone41=4529
  cgcs20003degreegausskrugerzone42=4530 cgcs20003degreegausskrugerzone43=4531 cgcs20003degreegausskrugerzone44=4532
  cgcs20003degreegausskrugerzone45=4533 cgcs20003degreegkcm102e=4543 cgcs20003degreegkcm105e=4544
  cgcs20003degreegkcm108e=4545 cgcs20003degreegkcm111e=4546 cgcs20003degreegkcm114e=4547 cgcs20003degreegkcm117e=4548
  cgcs20003degreegkcm120e=4549 cgcs20003degreegkcm123e=4550 cgcs20003degreegkcm126e=4551 cgcs20003degreegkcm129e=4552
  cgcs20003degreegkcm132e=4553 cgcs20003degreegkcm135e=4554 cgcs20003degreegkcm75e=4534 cgcs20003degreegkcm78e=4535
  cgcs20003degreegkcm81e=4536 cgcs20003degreegkcm84e=4537 cgcs20003degreegkcm87e=4538 cgcs20003degreegkcm90e=4539
  cgcs20003degreegkcm93e=4540 cgcs20003degreegkcm96e=4541 cgcs20003degreegkcm99e=4542 cgcs20003degreegkzone25=4513
  cgcs20003degreegkzone26=4514 cgcs20003degreegkzone27=4515 cgcs20003degreegkzone28=4516 cgcs20003degreegkzone29=4517
  cgcs20003degreegkzone30=4518 cgcs20003degreegkzone31=4519 cgcs20003degreegkzone32=4520 cgcs20003degreegkzone33=4521
  cgcs20003degreegkzone34=4522 cgcs20003degreegkzone35=4523 cgcs20003degreegkzone36=4524 cgcs20003degreegkzone37=4525
  cgcs20003degreegkzone38=4526 cgcs20003degreegkzone39=4527 cgcs20003degreegkzone40=4528 cgcs20003degreegkzone41=4529
  cgcs20003degreegkzone42=4530 cgcs20003degreegkzone43=4531 cgcs20003degreegkzone44=4532 cgcs20003degreegkzone45=4533
  cgcs2000gausskrugercm105e=4507 cgcs2000gausskrugercm111e=4508 cgcs2000gausskrugercm117e=4509
  cgcs2000gausskrugercm123e=4510 cgcs2000gausskrugercm129e=4511 cgcs2000gausskrugercm135e=4512
  cgcs2000gausskrugercm75e=4502 cgcs2000gausskrugercm81e=4503 cgcs2000gausskrugercm87e=4504
  cgcs2000gausskrugercm93e=4505 cgcs2000gausskrugercm99e=4506 cgcs2000gausskrugerzone13=4491
  cgcs2000gausskrugerzone14=4492 cgcs2000gausskrugerzone15=4493 cgcs2000gausskrugerzone16=4494
  cgcs2000gausskrugerzone17=4495 cgcs2000gausskrugerzone18=4496 cgcs2000gausskrugerzone19=4497
  cgcs2000gausskrugerzone20=4498 cgcs2000gausskrugerzone21=4499 cgcs2000gausskrugerzone22=4500
  cgcs2000gausskrugerzone23=4501 cgcs2000gkcm105e=4507 cgcs2000gkcm111e=4508 cgcs2000gkcm117e=4509
  cgcs2000gkcm123e=4510 cgcs2000gkcm129e=4511 cgcs2000gkcm135e=4512 cgcs2000gkcm75e=4502 cgcs2000gkcm81e=4503
  cgcs2000gkcm87e=4504 cgcs2000gkcm93e=4505 cgcs2000gkcm99e=4506 cgcs2000gkzone13=4491 cgcs2000gkzone14=4492
  cgcs2000gkzone15=4493 cgcs2000gkzone16=4494 cgcs2000gkzone17=4495 cgcs2000gkzone18=4496 cgcs2000gkzone19=4497
  cgcs2000gkzone20=4498 cgcs2000gkzone21=4499 cgcs2000gkzone22=4500 cgcs2000gkzone23=4501 cgrs19933d=6311
  cgrs1993cypruslocaltransversemercator=6312 cgrs1993ltm=102319 cgrs93=6311 cgrs93cypruslocaltransversemercator=6312
  ch1903=4149 ch1903lv03=21781 ch1903lv03cg=21782 ch1903lv95=2056 charon2015=104999 chathamisland1971mapgrid=5518
  chathamislands1971=4672 chathamislands1979=4673 chathamislands1979mapgrid=5519
  chinageodeticcoordinatesystem2000=4490 chinageodeticcoordinatesystem20003d=4490 chosmalal1914=4160
  chosmalal1914argentina2=2081 chtrf953d=4151 chtrs95=4151 chua=4224 chuautmzone23s=4071
  ci1971chathamislandsmapgrid=5518 ci1979chathamislandsmapgrid=5519 cigd11=6135 cigd113d=6135 cobnad832007=102041
  cocosislands1965=4708 colombiabogotazone=21897 colombiaeastcentralzone=21898 colombiaeastzone=21899
  colombiawestwestzone=102231 colombiawestzone=21896 combani1950=4632 combani1950utm38s=2980
  combani1950utmzone38s=2980 conakry1905=4315 conakry1905utmzone28n=31528 conakry1905utmzone29n=31529
  corregoalegre1961=5524 corregoalegre1961utmzone21s=5536 corregoalegre1961utmzone22s=5537
  corregoalegre1961utmzone23s=5538 corregoalegre1961utmzone24s=5539 corregoalegre197072=4225
  corregoalegre197072utmzone21s=22521 corregoalegre197072utmzone22s=22522 corregoalegre197072utmzone23s=22523
  corregoalegre197072utmzone24s=22524 corregoalegre197072utmzone25s=22525 corregoalegreutmzone21s=22521
  corregoalegreutmzone22s=22522 corregoalegreutmzone23s=22523 corregoalegreutmzone24s=22524
  corregoalegreutmzone25s=22525 cotedivoire=4226 countyst74=3854 cr05=5365 cr053d=5365 cr05crtm05=5367 crsirgas=8907
  crsirgas3d=8907 crsirgascrtm05=8908 crsirgasutmzone16n=8909 crsirgasutmzone17n=8910 crtm05=5367 csg1967utm22n=2971
  csg1967utmzone21n=3312 csg67=4623 csg67utmzone21n=3312 csg67utmzone22n=2971 d48sloveniatm=102060 dabola1981=4155
  dabola1981utmzone28n=3461 dabola1981utmzone29n=3462 daphnis2015=104978 datum73=4274 datum73hayfordgaussigeoe=102160
  datum73hayfordgaussipcc=102161 datum73modifiedportuguesegrid=27493 datum73utmzone29n=27429 dbref=5681 dbref3d=5681
  dbref3degreegausskrugerzone2en=5682 dbref3degreegausskrugerzone3en=5683 dbref3degreegausskrugerzone4en=5684
  dbref3degreegausskrugerzone5en=5685 dbref3degreegkzone2en=5682 dbref3degreegkzone3en=5683 dbref3degreegkzone4en=5684
  dbref3degreegkzone5en=5685 dealulpiscului1930=4316 dealulpiscului1930stereo33=31600 dealulpiscului1970=4317
  dealulpiscului1970stereo70=31700 deceptionisland=4736 deirezzor=4227 deirezzorlevantstereographic=22780
  deirezzorlevantzone=22700 deirezzorsyrialambert=22770 dgn19953d=4755 dgn1995indonesiatm3zone462=23830
  dgn1995indonesiatm3zone471=23831 dgn1995indonesiatm3zone472=23832 dgn1995indonesiatm3zone481=23833
  dgn1995indonesiatm3zone482=23834 dgn1995indonesiatm3zone491=23835 dgn1995indonesiatm3zone492=23836
  dgn1995indonesiatm3zone501=23837 dgn1995indonesiatm3zone502=23838 dgn1995indonesiatm3zone511=23839
  dgn1995indonesiatm3zone512=23840 dgn1995indonesiatm3zone521=23841 dgn1995indonesiatm3zone522=23842
  dgn1995indonesiatm3zone531=23843 dgn1995indonesiatm3zone532=23844 dgn1995indonesiatm3zone541=23845
  dgn1995utmzone46n=23866 dgn1995utmzone47n=23867 dgn1995utmzone47s=23877 dgn1995utmzone48n=23868
  dgn1995utmzone48s=23878 dgn1995utmzone49n=23869 dgn1995utmzone49s=23879 dgn1995utmzone50n=23870
  dgn1995utmzone50s=23880 dgn1995utmzone51n=23871 dgn1995utmzone51s=23881 dgn1995utmzone52n=23872
  dgn1995utmzone52s=23882 dgn1995utmzone53s=23883 dgn1995utmzone54s=23884 dgn95=4755 dgn95indonesiatm3zone462=23830
  dgn95indonesiatm3zone471=23831 dgn95indonesiatm3zone472=23832 dgn95indonesiatm3zone481=23833
  dgn95indonesiatm3zone482=23834 dgn95indonesiatm3zone491=23835 dgn95indonesiatm3zone492=23836
  dgn95indonesiatm3zone501=23837 dgn95indonesiatm3zone502=23838 dgn95indonesiatm3zone511=23839
  dgn95indonesiatm3zone512=23840 dgn95indonesiatm3zone521=23841 dgn95indonesiatm3zone522=23842
  dgn95indonesiatm3zone531=23843 dgn95indonesiatm3zone532=23844 dgn95indonesiatm3zone541=23845 dgn95utmzone46n=23866
  dgn95utmzone47n=23867 dgn95utmzone47s=23877 dgn95utmzone48n=23868 dgn95utmzone48s=23878 dgn95utmzone49n=23869
  dgn95utmzone49s=23879 dgn95utmzone50n=23870 dgn95utmzone50s=23880 dgn95utmzone51n=23871 dgn95utmzone51s=23881
  dgn95utmzone52n=23872 dgn95utmzone52s=23882 dgn95utmzone53s=23883 dgn95utmzone54s=23884 dhdn=4314
  dhdn3degreegausskrugerzone1=5520 dhdn3degreegausskrugerzone1en=5680 dhdn3degreegausskrugerzone2=31466
  dhdn3degreegausskrugerzone2en=5676 dhdn3degreegausskrugerzone3=31467 dhdn3degreegausskrugerzone3en=5677
  dhdn3degreegausskrugerzone4=31468 dhdn3degreegausskrugerzone4en=5678 dhdn3degreegausskrugerzone5=31469
  dhdn3degreegausskrugerzone5en=5679 dhdn3degreegausszone1=5520 dhdn3degreegausszone2=31466
  dhdn3degreegausszone3=31467 dhdn3degreegausszone4=31468 dhdn3degreegausszone5=31469 dhdn3degreegkzone1en=5680
  dhdn3degreegkzone2en=5676 dhdn3degreegkzone3en=5677 dhdn3degreegkzone4en=5678 dhdn3degreegkzone5en=5679
  dhdnsoldnerberlin=3068 diegogarcia1969=4724 dione2015=104979 dominica1945=4602
  dominica1945britishwestindiesgrid=2002 douala=4228 douala1948=4192 douala1948aefwest=3119 douala1948aofwest=2214
  doualautmzone32n=22832 drukref03=5264 drukref033d=5264 drukref03bhutannationalgrid=5266 drukref03bumthangtm=5292
  drukref03chhukhatm=5293 drukref03daganatm=5294 drukref03gasatm=5295 drukref03hatm=5296 drukref03lhuentsetm=5297
  drukref03mongartm=5298 drukref03parotm=5299 drukref03pemagatsheltm=5300 drukref03punakhatm=5301
  drukref03samdrupjongkhartm=5302 drukref03samtsetm=5303 drukref03sarpangtm=5304 drukref03thimphutm=5305
  drukref03trashigangtm=5306 drukref03trongsatm=5307 drukref03tsirangtm=5308 drukref03wangduephodrangtm=5309
  drukref03yangtsetm=5310 drukref03zhemgangtm=5311 easterisland1967=4719 ebbwv14grid=9943 ebbwv14irf=9939
  ecml14nbgrid=9761 ecml14nbirf=9758 ed19503degreegkzone10=2207 ed19503degreegkzone11=2208 ed19503degreegkzone12=2209
  ed19503degreegkzone13=2210 ed19503degreegkzone14=2211 ed19503degreegkzone15=2212 ed19503degreegkzone9=2206
  ed1950ed77utmzone38n=2058 ed1950ed77utmzone39n=2059 ed1950ed77utmzone40n=2060 ed1950ed77utmzone41n=2061
  ed1950franceeurolambert=2192 ed1950iraqnationalgrid=3893 ed1950jordantm=3066 ed1950southernpermianbasinlambert=5643
  ed1950tm0n=23090 ed1950tm27=2319 ed1950tm30=2320 ed1950tm33=2321 ed1950tm36=2322 ed1950tm39=2323 ed1950tm42=2324
  ed1950tm45=2325 ed1950tm5ne=23095 ed1950tm6ne=5627 ed1950turkey10=102551 ed1950turkey11=102552 ed1950turkey12=102553
  ed1950turkey13=102554 ed1950turkey14=102555 ed1950turkey15=102556 ed1950turkey9=102550 ed1950utmzone28n=23028
  ed1950utmzone29n=23029 ed1950utmzone30n=23030 ed1950utmzone31n=23031 ed1950utmzone32n=23032 ed1950utmzone33n=23033
  ed1950utmzone34n=23034 ed1950utmzone35n=23035 ed1950utmzone36n=23036 ed1950utmzone37n=23037 ed1950utmzone38n=23038
  ed50=4230 ed503degreegausskrugerzone10=2207 ed503degreegausskrugerzone11=2208 ed503degreegausskrugerzone12=2209
  ed503degreegausskrugerzone13=2210 ed503degreegausskrugerzone14=2211 ed503degreegausskrugerzone15=2212
  ed503degreegausskrugerzone9=2206 ed50ed77=4154 ed50ed77utmzone38n=2058 ed50ed77utmzone39n=2059
  ed50ed77utmzone40n=2060 ed50ed77utmzone41n=2061 ed50franceeurolambert=2192 ed50iraqnationalgrid=3893
  ed50jordantm=3066 ed50spbalcc=5643 ed50tm0n=23090 ed50tm27=2319 ed50tm30=2320 ed50tm33=2321 ed50tm36=2322
  ed50tm39=2323 ed50tm42=2324 ed50tm45=2325 ed50tm5ne=23095 ed50tm6ne=5627 ed50utmzone28n=23028 ed50utmzone29n=23029
  ed50utmzone30n=23030 ed50utmzone31n=23031 ed50utmzone32n=23032 ed50utmzone33n=23033 ed50utmzone34n=23034
  ed50utmzone35n=23035 ed50utmzone36n=23036 ed50utmzone37n=23037 ed50utmzone38n=23038 ed79=4668 ed87=4231
  egypt1907=4229 egypt1907bluebelt=22991 egypt1907extendedpurplebelt=22994 egypt1907purplebelt=22993
  egypt1907redbelt=22992 egypt1930=4199 egyptbluebelt=22991 egyptextendedpurplebelt=22994 egyptgulfofsuezs650tl=4706
  egyptgulfofsuezs650tlredbelt=3355 egyptpurplebelt=22993 egyptredbelt=22992 eld1979libya10=2073 eld1979libya11=2074
  eld1979libya12=2075 eld1979libya13=2076 eld1979libya5=2068 eld1979libya6=2069 eld1979libya7=2070 eld1979libya8=2071
  eld1979libya9=2072 eld1979tm12ne=2087 eld1979utmzone32n=2077 eld1979utmzone33n=2078 eld1979utmzone34n=2079
  eld1979utmzone35n=2080 eld79=4159 eld79libyazone10=2073 eld79libyazone11=2074 eld79libyazone12=2075
  eld79libyazone13=2076 eld79libyazone5=2068 eld79libyazone6=2069 eld79libyazone7=2070 eld79libyazone8=2071
  eld79libyazone9=2072 eld79tm12ne=2087 eld79utmzone32n=2077 eld79utmzone33n=2078 eld79utmzone34n=2079
  eld79utmzone35n=2080 emep150kilometergrid=102069 emep50kilometergrid=102068 enceladus2015=104980 eos21grid=9741
  eos21irf=9739 epimetheus2015=104981 est92=4133 est97=4180 est973d=4180 estonia19973d=4180
  estonia1997estonianationalgrid=3301 estoniancoordinatesystemof1992=3300 estoniancoordinatesystemof1997=3301
  etrf19893d=9059 etrf1989tmbaltic1993=103584 etrf1989utmzone28n=103528 etrf1989utmzone29n=103529
  etrf1989utmzone30n=103530 etrf1989utmzone31n=103531 etrf1989utmzone32n=103532 etrf1989utmzone33n=103533
  etrf1989utmzone34n=103534 etrf1989utmzone35n=103535 etrf1989utmzone36n=103536 etrf1989utmzone37n=103537
  etrf1989utmzone38n=103538 etrf2000=9067 etrf20003d=9067 etrf2000pl=9702 etrf2000pl3d=9701 etrf2000plcs200015=2176
  etrf2000plcs200018=2177 etrf2000plcs200021=2178 etrf2000plcs200024=2179 etrf2000plcs92=2180 etrf2005=9068
  etrf20053d=9068 etrf2014=9069 etrf20143d=9069 etrf89=9059 etrf90=9060 etrf903d=9060 etrf91=9061 etrf913d=9061
  etrf92=9062 etrf923d=9062 etrf93=9063 etrf933d=9063 etrf94=9064 etrf943d=9064 etrf96=9065 etrf963d=9065 etrf97=9066
  etrf973d=9066 etrs19893d=4258 etrs1989albania2010=6870 etrs1989albanialcc2010=6962 etrs1989austrialambert=3416
  etrs1989dktm1=4093 etrs1989dktm2=4094 etrs1989dktm3=4095 etrs1989dktm4=4096 etrs1989epsgarcticzone222=6069
  etrs1989epsgarcticzone311=6070 etrs1989epsgarcticzone426=6071 etrs1989epsgarcticzone428=6072
  etrs1989epsgarcticzone511=6073 etrs1989epsgarcticzone513=6074 etrs1989epsgarcticzone547=6125
  etrs1989etrsgk19fin=3126 etrs1989etrsgk20fin=3127 etrs1989etrsgk21fin=3128 etrs1989etrsgk22fin=3129
  etrs1989etrsgk23fin=3130 etrs1989etrsgk24fin=3131 etrs1989etrsgk25fin=3132 etrs1989etrsgk26fin=3133
  etrs1989etrsgk27fin=3134 etrs1989etrsgk28fin=3135 etrs1989etrsgk29fin=3136 etrs1989etrsgk30fin=3137
  etrs1989etrsgk31fin=3138 etrs1989etrstm26=3038 etrs1989etrstm27=3039 etrs1989etrstm28=3040 etrs1989etrstm29=3041
  etrs1989etrstm30=3042 etrs1989etrstm31=3043 etrs1989etrstm32=3044 etrs1989etrstm33=3045 etrs1989etrstm34=3046
  etrs1989etrstm35=3047 etrs1989etrstm36=3048 etrs1989etrstm37=3049 etrs1989etrstm38=3050 etrs1989etrstm39=3051
  etrs1989faroetm=5316 etrs1989gk19fin=3873 etrs1989gk20fin=3874 etrs1989gk21fin=3875 etrs1989gk22fin=3876
  etrs1989gk23fin=3877 etrs1989gk24fin=3878 etrs1989gk25fin=3879 etrs1989gk26fin=3880 etrs1989gk27fin=3881
  etrs1989gk28fin=3882 etrs1989gk29fin=3883 etrs1989gk30fin=3884 etrs1989gk31fin=3885 etrs1989gkcm9e=8395
  etrs1989guernseygrid=3108 etrs1989jerseytransversemercator=3109 etrs1989kosovogrid=102157
  etrs1989kp2000bornholm=2198 etrs1989kp2000jutland=2196 etrs1989kp2000zealand=2197 etrs1989laea=3035 etrs1989lcc=3034
  etrs1989lccgermanyen=5243 etrs1989lccgermanyne=4839 etrs1989ntmzone10=5110 etrs1989ntmzone11=5111
  etrs1989ntmzone12=5112 etrs1989ntmzone13=5113 etrs1989ntmzone14=5114 etrs1989ntmzone15=5115 etrs1989ntmzone16=5116
  etrs1989ntmzone17=5117 etrs1989ntmzone18=5118 etrs1989ntmzone19=5119 etrs1989ntmzone20=5120 etrs1989ntmzone21=5121
  etrs1989ntmzone22=5122 etrs1989ntmzone23=5123 etrs1989ntmzone24=5124 etrs1989ntmzone25=5125 etrs1989ntmzone26=5126
  etrs1989ntmzone27=5127 etrs1989ntmzone28=5128 etrs1989ntmzone29=5129 etrs1989ntmzone30=5130 etrs1989ntmzone5=5105
  etrs1989ntmzone6=5106 etrs1989ntmzone7=5107 etrs1989ntmzone8=5108 etrs1989ntmzone9=5109
  etrs1989polandcs2000zone5=2176 etrs1989polandcs2000zone6=2177 etrs1989polandcs2000zone7=2178
  etrs1989polandcs2000zone8=2179 etrs1989polandcs92=2180 etrs1989portugaltm06=3763 etrs1989sloveniatm=102109
  etrs1989tm30ne=2213 etrs1989tm35finne=5048 etrs1989tmbaltic1993=25884 etrs1989utmzone26n=102097
  etrs1989utmzone27n=102098 etrs1989utmzone28n=25828 etrs1989utmzone29n=25829 etrs1989utmzone30n=25830
  etrs1989utmzone31n=25831 etrs1989utmzone31nnze=5651 etrs1989utmzone31nzen=5649 etrs1989utmzone32n=25832
  etrs1989utmzone32n7stellen=102328 etrs1989utmzone32n8stellen=102329 etrs1989utmzone32nnze=5652
  etrs1989utmzone33n=25833 etrs1989utmzone33n7stellen=102359 etrs1989utmzone33n8stellen=102360
  etrs1989utmzone33nnze=5653 etrs1989utmzone33nzen=5650 etrs1989utmzone34n=25834 etrs1989utmzone35n=25835
  etrs1989utmzone36n=25836 etrs1989utmzone37n=25837 etrs1989utmzone38n=25838 etrs1989utmzone39n=102099
  etrs1989utmzonen32=4647 etrs1989uwpp1992=102173 etrs1989uwpp2000pas5=102174 etrs1989uwpp2000pas6=102175
  etrs1989uwpp2000pas7=102176 etrs1989uwpp2000pas8=102177 etrs89=4258 etrs893d=4258 etrs89albanialcc2010=6962
  etrs89albaniatm2010=6870 etrs89austrialambert=3416 etrs89belgianlambert2005=3447 etrs89belgianlambert2008=3812
  etrs89dktm1=4093 etrs89dktm2=4094 etrs89dktm3=4095 etrs89dktm4=4096 etrs89epsgarcticzone222=6069
  etrs89epsgarcticzone311=6070 etrs89epsgarcticzone426=6071 etrs89epsgarcticzone428=6072 etrs89epsgarcticzone511=6073
  etrs89epsgarcticzone513=6074 etrs89epsgarcticzone547=6125 etrs89etrsgk19fin=3126 etrs89etrsgk20fin=3127
  etrs89etrsgk21fin=3128 etrs89etrsgk22fin=3129 etrs89etrsgk23fin=3130 etrs89etrsgk24fin=3131 etrs89etrsgk25fin=3132
  etrs89etrsgk26fin=3133 etrs89etrsgk27fin=3134 etrs89etrsgk28fin=3135 etrs89etrsgk29fin=3136 etrs89etrsgk30fin=3137
  etrs89etrsgk31fin=3138 etrs89extendedlaeaeurope=3035 etrs89extendedlcceurope=3034 etrs89faroelambert=3145
  etrs89faroetm=5316 etrs89gausskrugercm9e=8395 etrs89gk19fin=3873 etrs89gk20fin=3874 etrs89gk21fin=3875
  etrs89gk22fin=3876 etrs89gk23fin=3877 etrs89gk24fin=3878 etrs89gk25fin=3879 etrs89gk26fin=3880 etrs89gk27fin=3881
  etrs89gk28fin=3882 etrs89gk29fin=3883 etrs89gk30fin=3884 etrs89gk31fin=3885 etrs89guernseygrid=3108
  etrs89jerseytransversemercator=3109 etrs89kp2000bornholm=2198 etrs89kp2000jutland=2196 etrs89kp2000zealand=2197
  etrs89lccgermanyen=5243 etrs89lccgermanyne=4839 etrs89ntmzone10=5110 etrs89ntmzone11=5111 etrs89ntmzone12=5112
  etrs89ntmzone13=5113 etrs89ntmzone14=5114 etrs89ntmzone15=5115 etrs89ntmzone16=5116 etrs89ntmzone17=5117
  etrs89ntmzone18=5118 etrs89ntmzone19=5119 etrs89ntmzone20=5120 etrs89ntmzone21=5121 etrs89ntmzone22=5122
  etrs89ntmzone23=5123 etrs89ntmzone24=5124 etrs89ntmzone25=5125 etrs89ntmzone26=5126 etrs89ntmzone27=5127
  etrs89ntmzone28=5128 etrs89ntmzone29=5129 etrs89ntmzone30=5130 etrs89ntmzone5=5105 etrs89ntmzone6=5106
  etrs89ntmzone7=5107 etrs89ntmzone8=5108 etrs89ntmzone9=5109 etrs89portugaltm06=3763 etrs89tm26=3038 etrs89tm27=3039
  etrs89tm30ne=2213 etrs89tm35finen=3067 etrs89tm35finne=5048 etrs89tm38=3050 etrs89tm39=3051 etrs89tmbaltic93=25884
  etrs89utmzone28n=25828 etrs89utmzone28nne=3040 etrs89utmzone29n=25829 etrs89utmzone29nne=3041 etrs89utmzone30n=25830
  etrs89utmzone30nne=3042 etrs89utmzone31n=25831 etrs89utmzone31nne=3043 etrs89utmzone31nnze=5651
  etrs89utmzone31nzen=5649 etrs89utmzone32n=25832 etrs89utmzone32nne=3044 etrs89utmzone32nnze=5652
  etrs89utmzone32nzen=4647 etrs89utmzone33n=25833 etrs89utmzone33nne=3045 etrs89utmzone33nnze=5653
  etrs89utmzone33nzen=5650 etrs89utmzone34n=25834 etrs89utmzone34nne=3046 etrs89utmzone35n=25835
  etrs89utmzone35nne=3047 etrs89utmzone36n=25836 etrs89utmzone36nne=3048 etrs89utmzone37n=25837
  etrs89utmzone37nne=3049 etrs89utmzone38n=25838 eureffin3d=104613 eureffintm35fin=3067 europa2015=104874
  europealbersequalareaconic=102013 europeequidistantconic=102031 europelambertconformalconic=102014
  everestmodified1969rsomalayameters=102061 ewr2grid=9766 ewr2irf=9763 fahud=4232 fahudutmzone39n=23239
  fahudutmzone40n=23240 fatuiva1972utmzone7s=3303 fatuiva72=4688 fatuiva72utmzone7s=3303 fd1954utmzone29n=3374
  fd1958iraq=3200 fd54=4741 fd54faroelambert=3144 fd54utmzone29n=3374 fd58=4132 fd58iraqzone=3200 feh2010=5593
  feh20103d=5593 feh2010fehmarnbelttm=5596 fiji1956=4721 fiji1956utmzone1s=3142 fiji1956utmzone60s=3141 fiji1986=4720
  fiji1986fijimapgrid=3460 finlandzone1=2391 finlandzone2=2392 finlandzone3=2393 finlandzone4=2394 fk89=4753
  fk89faroelambertfk89=3173 fnl22grid=9977 fnl22irf=9974 fortdesaixutm20n=2973 fortmarigot=4621 fortmarigotutm20n=2969
  fortmarigotutmzone20n=2969 gambia=6894 gan1970=4684 gandajika=4685 gandajika1970=4233 ganymede2015=104875
  garoua=4197 garouautmzone33n=2312 gbk19grid=9456 gbk19irf=9453 gcgd59=4723 gcsabidjan1987=4143 gcsaccra=4168
  gcsaden1925=6881 gcsadindan=4201 gcsadrastea2000=104909 gcsafgooye=4205 gcsagadez=4206 gcsainelabd1970=4204
  gcsairy1830=4001 gcsairymodified=4002 gcsalaskanislands=37260 gcsalbanian1987=4191 gcsamalthea2000=104910
  gcsamericansamoa1962=4169 gcsamersfoort=4289 gcsammassalik1958=4196 gcsananke2000=104911 gcsanguilla1957=4600
  gcsanna11965=4708 gcsantigua1943=4601 gcsaratu=4208 gcsarc1950=4209 gcsarc1960=4210 gcsariel2000=104945
  gcsascensionisland1958=4712 gcsassumedgeographic1=104000 gcsastro1952=4711 gcsatfparis=4901 gcsatlas2000=104926
  gcsats1977=4122 gcsaustralian=4003 gcsaustralian1966=4202 gcsaustralian1984=4203 gcsaustralianantarctic1998=4176
  gcsayabelle=4713 gcsazorescentral1948=4183 gcsazorescentral1995=4665 gcsazoresoccidental1939=4182
  gcsazoresoriental1940=4184 gcsazoresoriental1995=4664 gcsbabsouth=104112 gcsbarbados1938=4212 gcsbatavia=4211
  gcsbataviajakarta=4813 gcsbeacone1945=4709 gcsbeduaram=4213 gcsbeijing1954=4214 gcsbekaavalley1920=6882
  gcsbelge1950=4215 gcsbelge1950brussels=4809 gcsbelge1972=4313 gcsbelinda2000=104946 gcsbellevueign=4714
  gcsbermuda1957=4216 gcsbermuda2000=4762 gcsbern1898bern=4801 gcsbern1938=4306 gcsbessel1841=4004
  gcsbesselmodified=4005 gcsbesselnamibia=4006 gcsbianca2000=104947 gcsbioko=6883 gcsbissau=4165 gcsbogota=4218
  gcsbogotabogota=4802 gcsbukitrimpah=4219 gcscadastre1997=4475 gcscallisto2000=104912 gcscalypso2000=104927
  gcscamacupa=4220 gcscamparea=4715 gcscampoinchauspe=4221 gcscanton1966=4716 gcscape=4222 gcscapecanaveral=4717
  gcscarme2000=104913 gcscarthage=4223 gcscarthagegrad=37225 gcscarthageparis=4816 gcscgrs1993=6311 gcsch1903=4149
  gcscharon2000=104970 gcschathamisland1971=4672 gcschathamislands1979=4673 gcschinageodeticcoordinatesystem2000=4490
  gcschosmalal1914=4160 gcschua=4224 gcscigd11=6135 gcsclarke1858=4007 gcsclarke1866=4008 gcsclarke1866michigan=4009
  gcsclarke1880=4034 gcsclarke1880arc=4013 gcsclarke1880benoit=4010 gcsclarke1880ign=4011 gcsclarke1880rgs=4012
  gcsclarke1880sga=4014 gcscombani1950=4632 gcsconakry1905=4315 gcscordelia2000=104948 gcscorregoalegre=4225
  gcscorregoalegre1961=5524 gcscotedivoire=4226 gcscr05=5365 gcscressida2000=104949 gcscsg1967=4623 gcsd48=104131
  gcsdabola1981=4155 gcsdatum73=4274 gcsdatumlisboabessel=104105 gcsdatumlisboahayford=104106 gcsdbref=5681
  gcsdealulpiscului1933=4316 gcsdealulpiscului1970=4317 gcsdeceptionisland=4736 gcsdeimos2000=104906 gcsdeirezzor=4227
  gcsdesdemona2000=104950 gcsdespina2000=104961 gcsdeutscheshauptdreiecksnetz=4314 gcsdgn1995=4755 gcsdione2000=104928
  gcsdominica1945=4602 gcsdos1968=37218 gcsdos714=4710 gcsdouala=4228 gcsdouala1948=4192 gcsdrukref03=5264
  gcseasterisland1967=4719 gcsegypt1907=4229 gcsegypt1930=4199 gcsegyptgulfofsuezs650tl=4706 gcselara2000=104914
  gcsenceladus2000=104929 gcsepimetheus2000=104930 gcsestonia1937=104101 gcsestonia1992=4133 gcsestonia1997=4180
  gcsetrf1989=9059 gcsetrs1989=4258 gcseureffin=104129 gcseuropa2000=104915 gcseuropean1950=4230
  gcseuropean1950ed77=4154 gcseuropean1979=4668 gcseuropean1987=4231 gcseuropeanlibyandatum1979=4159
  gcseverest1830=4042 gcseverestadj1937=4015 gcseverestbangladesh=37202 gcseverestdef1962=4044 gcseverestdef1967=4016
  gcseverestdef1975=4045 gcseverestindianepal=37203 gcseverestmodified=4018 gcseverestmodified1969=37006 gcsfahud=4232
  gcsfatuiva1972=4688 gcsfd1954=4741 gcsfd1958=4132 gcsfeh2010=5593 gcsfiji1956=4721 gcsfiji1986=4720
  gcsfischer1960=37002 gcsfischer1968=37003 gcsfischermodified=37004 gcsfk89=4753 gcsfortdesaix=4625
  gcsfortmarigot=4621 gcsfortthomas1955=37240 gcsgalatea2000=104962 gcsgambia=6894 gcsgan1970=4684
  gcsgandajika1970=4233 gcsganymede2000=104916 gcsgaroua=4197 gcsgda1994=4283 gcsgdbd2009=5246 gcsgdm2000=4742
  gcsgem10c=4031 gcsggrs1987=4121 gcsgraciosabasesw1948=37241 gcsgrandcayman1959=4723 gcsgrandcomoros=4646
  gcsgreek=4120 gcsgreekathens=4815 gcsgreenland1996=4747 gcsgrenada1953=4603 gcsgrs1967=4036 gcsgrs1980=4019
  gcsguam1963=4675 gcsgulshan303=4682 gcsgunungsegara=4613 gcsgunungsegarajakarta=4820 gcsgux1=37221
  gcsguyanefrancaise=4235 gcshanoi1972=4147 gcshartebeesthoek1994=4148 gcshd1909=3819 gcshelene2000=104931
  gcshelle1954=4660 gcshelmert1906=4020 gcsheratnorth=4255 gcshermannskogel=104102 gcshimalia2000=104917
  gcshitoxviii1963=4254 gcshjorsey1955=4658 gcshongkong1963=4738 gcshongkong196367=4739 gcshongkong1980=4611
  gcshough1960=37005 gcshtrs96=4761 gcshughes1980=4054 gcshungarian1972=4237 gcshutzushan=4236 gcshyperion2000=104932
  gcsiapetus2000=104933 gcsigc19626thparallelsouth=4697 gcsigcb1955=4701 gcsigm1995=4670 gcsign53mare=4641
  gcsign56lifou=4633 gcsign63hivaoa=4689 gcsign72grandeterre=4662 gcsign72nukuhiva=4630 gcsignastro1960=4700
  gcsigrs=3889 gcsigs08=9014 gcsikbd1992=4667 gcsindian1954=4239 gcsindian1960=4131 gcsindian1975=4240
  gcsindonesian=4021 gcsindonesian1974=4238 gcsinternational1924=4022 gcsinternational1967=104023 gcsio2000=104918
  gcsirenet95=4173 gcsisn1993=4659 gcsisn2004=5324 gcsisrael=4141 gcsists0611968=4722 gcsists0731969=4724
  gcsitrf1988=8988 gcsitrf1989=8989 gcsitrf1990=8990 gcsitrf1991=8991 gcsitrf1992=8992 gcsitrf1993=8993
  gcsitrf1994=8994 gcsitrf1996=8995 gcsitrf1997=8996 gcsitrf2000=8997 gcsitrf2005=8998 gcsitrf2008=8999
  gcsjad2001=4758 gcsjamaica1875=4241 gcsjamaica1969=4242 gcsjanus2000=104934 gcsjgd2000=4612 gcsjgd2011=6668
  gcsjohnstonisland1961=4725 gcsjordan=104130 gcsjouik1961=4679 gcsjuliet2000=104951 gcsjupiter2000=104908
  gcskalianpur1880=4243 gcskalianpur1937=4144 gcskalianpur1962=4145 gcskalianpur1975=4146 gcskandawala=4244
  gcskarbala1979polservice=4743 gcskasai1953=4696 gcskatanga1955=4695 gcskerguelenisland1949=4698 gcskertau=4245
  gcskertaurso=4751 gcskkj=4123 gcskorea2000=4737 gcskoreandatum1985=4162 gcskoreandatum1995=4166 gcskousseri=4198
  gcskrasovsky1940=4024 gcskudams=4319 gcskusaie1951=4735 gcskuwaitoilcompany=4246 gcskyrg06=104009 gcslacanoa=4247
  gcslake=4249 gcslao1993=4677 gcslao1997=4678 gcslarissa2000=104963 gcslc51961=37243 gcsleda2000=104919
  gcsleigon=4250 gcslepouce1934=4699 gcslgd2006=4754 gcsliberia1964=4251 gcslisbon=4207 gcslisbon1890=4666
  gcslisbon1890lisbon=4904 gcslisbonlisbon=4803 gcslittlecayman1961=4726 gcslks1992=4661 gcslks1994=4669
  gcslocodjo1965=4142 gcslomaquintana=4288 gcslome=4252 gcsluref=4181 gcsluzon1911=4253 gcslysithea2000=104920
  gcsmacao2008=8431 gcsmadeira1936=4185 gcsmadrid1870madrid=4903 gcsmadzansua=4128 gcsmagna=4686 gcsmahe1971=4256
  gcsmajuro=104113 gcsmakassar=4257 gcsmakassarjakarta=4804 gcsmalongo1987=4259 gcsmanoca=4260 gcsmanoca1962=4193
  gcsmarcariosolis=5371 gcsmargen=5354 gcsmars1979=104904 gcsmars2000=104905 gcsmassawa=4262 gcsmaupiti1983=4692
  gcsmauritania1999=4702 gcsmerchich=4261 gcsmerchichdegree=104261 gcsmercury2000=104900 gcsmetis2000=104921
  gcsmexicandatumof1993=4483 gcsmexicoitrf2008=6365 gcsmgi=4312 gcsmgi1901=3906 gcsmgiferro=4805 gcsmhast=4264
  gcsmhast1951=4703 gcsmhastoffshore=4705 gcsmhastonshore=4704 gcsmidway1961=4727 gcsmimas2000=104935 gcsminna=4263
  gcsmiranda2000=104952 gcsmoldref99=4023 gcsmonref1997=104134 gcsmontemario=4265 gcsmontemariorome=4806
  gcsmontserrat1958=4604 gcsmoon2000=104903 gcsmoorea1987=4691 gcsmop78=4639 gcsmountdillon=4157 gcsmoznet=4130
  gcsmporaloko=4266 gcsmsk1942=104135 gcsnad1927cgq77=4609 gcsnad1927definition1976=4608 gcsnad19832011=6318
  gcsnad1983cors96=6783 gcsnad1983harnadjmnanoka=104700 gcsnad1983harnadjmnbecker=104701
  gcsnad1983harnadjmnbeltraminorth=104702 gcsnad1983harnadjmnbeltramisouth=104703 gcsnad1983harnadjmnbenton=104704
  gcsnad1983harnadjmnbigstone=104705 gcsnad1983harnadjmnblueearth=104706 gcsnad1983harnadjmnbrown=104707
  gcsnad1983harnadjmncarlton=104708 gcsnad1983harnadjmncarver=104709 gcsnad1983harnadjmncassnorth=104710
  gcsnad1983harnadjmncasssouth=104711 gcsnad1983harnadjmnchippewa=104712 gcsnad1983harnadjmnchisago=104713
  gcsnad1983harnadjmncooknorth=104714 gcsnad1983harnadjmncooksouth=104715 gcsnad1983harnadjmncottonwood=104716
  gcsnad1983harnadjmncrowwing=104717 gcsnad1983harnadjmndakota=104718 gcsnad1983harnadjmndodge=104719
  gcsnad1983harnadjmndouglas=104720 gcsnad1983harnadjmnfaribault=104721 gcsnad1983harnadjmnfillmore=104722
  gcsnad1983harnadjmnfreeborn=104723 gcsnad1983harnadjmngoodhue=104724 gcsnad1983harnadjmngrant=104725
  gcsnad1983harnadjmnhennepin=104726 gcsnad1983harnadjmnhouston=104727 gcsnad1983harnadjmnisanti=104728
  gcsnad1983harnadjmnitascanorth=104729 gcsnad1983harnadjmnitascasouth=104730 gcsnad1983harnadjmnjackson=104731
  gcsnad1983harnadjmnkanabec=104732 gcsnad1983harnadjmnkandiyohi=104733 gcsnad1983harnadjmnkittson=104734
  gcsnad1983harnadjmnkoochiching=104735 gcsnad1983harnadjmnlacquiparle=104736
  gcsnad1983harnadjmnlakeofthewoodsnorth=104737 gcsnad1983harnadjmnlakeofthewoodssouth=104738
  gcsnad1983harnadjmnlesueur=104739 gcsnad1983harnadjmnlincoln=104740 gcsnad1983harnadjmnlyon=104741
  gcsnad1983harnadjmnmahnomen=104743 gcsnad1983harnadjmnmarshall=104744 gcsnad1983harnadjmnmartin=104745
  gcsnad1983harnadjmnmcleod=104742 gcsnad1983harnadjmnmeeker=104746 gcsnad1983harnadjmnmorrison=104747
  gcsnad1983harnadjmnmower=104748 gcsnad1983harnadjmnmurray=104749 gcsnad1983harnadjmnnicollet=104750
  gcsnad1983harnadjmnnobles=104751 gcsnad1983harnadjmnnorman=104752 gcsnad1983harnadjmnolmsted=104753
  gcsnad1983harnadjmnottertail=104754 gcsnad1983harnadjmnpennington=104755 gcsnad1983harnadjmnpine=104756
  gcsnad1983harnadjmnpipestone=104757 gcsnad1983harnadjmnpolk=104758 gcsnad1983harnadjmnpope=104759
  gcsnad1983harnadjmnramsey=104760 gcsnad1983harnadjmnredlake=104761 gcsnad1983harnadjmnredwood=104762
  gcsnad1983harnadjmnrenville=104763 gcsnad1983harnadjmnrice=104764 gcsnad1983harnadjmnrock=104765
  gcsnad1983harnadjmnroseau=104766 gcsnad1983harnadjmnscott=104770 gcsnad1983harnadjmnsherburne=104771
  gcsnad1983harnadjmnsibley=104772 gcsnad1983harnadjmnstearns=104773 gcsnad1983harnadjmnsteele=104774
  gcsnad1983harnadjmnstevens=104775 gcsnad1983harnadjmnstlouis=104786 gcsnad1983harnadjmnstlouiscentral=104768
  gcsnad1983harnadjmnstlouisnorth=104767 gcsnad1983harnadjmnstlouissouth=104769 gcsnad1983harnadjmnswift=104776
  gcsnad1983harnadjmntodd=104777 gcsnad1983harnadjmntraverse=104778 gcsnad1983harnadjmnwabasha=104779
  gcsnad1983harnadjmnwadena=104780 gcsnad1983harnadjmnwaseca=104781 gcsnad1983harnadjmnwatonwan=104782
  gcsnad1983harnadjmnwinona=104783 gcsnad1983harnadjmnwright=104784 gcsnad1983harnadjmnyellowmedicine=104785
  gcsnad1983harnadjwiadams=104800 gcsnad1983harnadjwiashland=104801 gcsnad1983harnadjwibarron=104802
  gcsnad1983harnadjwibayfield=104803 gcsnad1983harnadjwibrown=104804 gcsnad1983harnadjwibuffalo=104805
  gcsnad1983harnadjwiburnett=104806 gcsnad1983harnadjwicalumet=104807 gcsnad1983harnadjwichippewa=104808
  gcsnad1983harnadjwiclark=104809 gcsnad1983harnadjwicolumbia=104810 gcsnad1983harnadjwicrawford=104811
  gcsnad1983harnadjwidane=104812 gcsnad1983harnadjwidodge=104813 gcsnad1983harnadjwidoor=104814
  gcsnad1983harnadjwidouglas=104815 gcsnad1983harnadjwidunn=104816 gcsnad1983harnadjwieauclaire=104817
  gcsnad1983harnadjwiflorence=104818 gcsnad1983harnadjwifonddulac=104819 gcsnad1983harnadjwiforest=104820
  gcsnad1983harnadjwigrant=104821 gcsnad1983harnadjwigreen=104822 gcsnad1983harnadjwigreenlake=104823
  gcsnad1983harnadjwiiowa=104824 gcsnad1983harnadjwiiron=104825 gcsnad1983harnadjwijackson=104826
  gcsnad1983harnadjwijefferson=104827 gcsnad1983harnadjwijuneau=104828 gcsnad1983harnadjwikenosha=104829
  gcsnad1983harnadjwikewaunee=104830 gcsnad1983harnadjwilacrosse=104831 gcsnad1983harnadjwilafayette=104832
  gcsnad1983harnadjwilanglade=104833 gcsnad1983harnadjwilincoln=104834 gcsnad1983harnadjwimanitowoc=104835
  gcsnad1983harnadjwimarathon=104836 gcsnad1983harnadjwimarinette=104837 gcsnad1983harnadjwimarquette=104838
  gcsnad1983harnadjwimenominee=104839 gcsnad1983harnadjwimilwaukee=104840 gcsnad1983harnadjwimonroe=104841
  gcsnad1983harnadjwioconto=104842 gcsnad1983harnadjwioneida=104843 gcsnad1983harnadjwioutagamie=104844
  gcsnad1983harnadjwiozaukee=104845 gcsnad1983harnadjwipepin=104846 gcsnad1983harnadjwipierce=104847
  gcsnad1983harnadjwipolk=104848 gcsnad1983harnadjwiportage=104849 gcsnad1983harnadjwiprice=104850
  gcsnad1983harnadjwiracine=104851 gcsnad1983harnadjwirichland=104852 gcsnad1983harnadjwirock=104853
  gcsnad1983harnadjwirusk=104854 gcsnad1983harnadjwisauk=104856 gcsnad1983harnadjwisawyer=104857
  gcsnad1983harnadjwishawano=104858 gcsnad1983harnadjwisheboygan=104859 gcsnad1983harnadjwistcroix=104855
  gcsnad1983harnadjwitaylor=104860 gcsnad1983harnadjwitrempealeau=104861 gcsnad1983harnadjwivernon=104862
  gcsnad1983harnadjwivilas=104863 gcsnad1983harnadjwiwalworth=104864 gcsnad1983harnadjwiwashburn=104865
  gcsnad1983harnadjwiwashington=104866 gcsnad1983harnadjwiwaukesha=104867 gcsnad1983harnadjwiwaupaca=104868
  gcsnad1983harnadjwiwaushara=104869 gcsnad1983harnadjwiwinnebago=104870 gcsnad1983harnadjwiwood=104871
  gcsnad1983ma11=6325 gcsnad1983marp00=9072 gcsnad1983nsrs2007=4759 gcsnad1983pa11=6322 gcsnad1983pacp00=9075
  gcsnahrwan1934=4744 gcsnahrwan1967=4270 gcsnaiad2000=104964 gcsnakhleghanem=4693 gcsnaparima1955=4158
  gcsnaparima1972=4271 gcsnea74noumea=4644 gcsnepalnagarkot=6207 gcsneptune2000=104960 gcsnereid2000=104965
  gcsnewbeijing=4555 gcsnewzealand1949=4272 gcsngn=4318 gcsngo1948=4273 gcsngo1948oslo=4817 gcsnorddeguerreparis=4902
  gcsnordsahara1959=4307 gcsnordsahara1959paris=4819 gcsnorthamerican1927=4267 gcsnorthamerican1983=4269
  gcsnorthamerican1983csrs=4617 gcsnorthamerican1983harn=4152 gcsnorthamericanmichigan=4268 gcsnouakchott1965=4680
  gcsnswc9z2=4276 gcsntf=4275 gcsntfparis=4807 gcsnwl9d=4025 gcsnzgd2000=4167 gcsoberon2000=104953
  gcsobservatario=4129 gcsobservatoriometeorologico1939=37245 gcsobservatoriometeorologico1965=104126
  gcsocotepeque1935=5451 gcsoldhawaiian=4135 gcsoldhawaiianintl1924=104138 gcsoman=37206 gcsophelia2000=104954
  gcsosgb1936=4277 gcsosgb1970sn=4278 gcsosni1952=4188 gcsossn1980=4279 gcsosu86f=4032 gcsosu91a=4033
  gcspadang1884=4280 gcspadang1884jakarta=4808 gcspalestine1923=4281 gcspampadelcastillo=4161 gcspan2000=104936
  gcspanamacolon1911=5467 gcspandora2000=104937 gcspasiphae2000=104922 gcspd83=4746 gcspdo1993=4134 gcsperu96=5373
  gcspetrels1972=4636 gcsphobos2000=104907 gcsphoebe2000=104938 gcspicodelasnieves=4728 gcspitcairn1967=4729
  gcspitcairn2006=4763 gcsplessis1817=4027 gcspluto2000=104969 gcspng94=5546 gcspohnpei=104109 gcspoint58=4620
  gcspointegeologieperroud1950=4637 gcspointenoire=4282 gcsportia2000=104955 gcsportosanto1936=4615
  gcsportosanto1995=4663 gcsposgar=4172 gcsposgar1994=4694 gcsposgar1998=4190 gcsposgar2007=5340 gcsprincipe=4824
  gcsprometheus2000=104939 gcsproteus2000=104966 gcsprovisionalsamerican1956=4248 gcsprs1992=4683 gcsptra08=5013
  gcspuck2000=104956 gcspuertorico=4139 gcspulkovo1942=4284 gcspulkovo1942adj1958=4179 gcspulkovo1942adj1983=4178
  gcspulkovo1995=4200 gcspz1990=4740 gcsqatar1948=4286 gcsqatar1974=4285 gcsqnd1995=4614 gcsqornoq=4287
  gcsqornoq1927=4194 gcsrassadiran=4153 gcsrd83=4745 gcsrdn2008=6706 gcsregcan95=4081 gcsregven=4189
  gcsreunion1947=4626 gcsreykjavik1900=4657 gcsrgaf09=5489 gcsrgf1993=4171 gcsrgfg1995=4624 gcsrgm2004=4470
  gcsrgnc1991=4645 gcsrgnc199193=4749 gcsrgpf=4687 gcsrgr1992=4627 gcsrgrdc2005=4046 gcsrgspm2006=4463
  gcsrgtaaf07=7073 gcsrhea2000=104940 gcsroma1940=104127 gcsrosalind2000=104957 gcsrraf1991=4558 gcsrsrgd2000=4764
  gcsrt1990=4124 gcsrt38=4308 gcsrt38stockholm=4814 gcss42hungary=37257 gcssad196996=5527 gcssainteanne=4622
  gcssaintpierreetmiquelon1950=4638 gcssamboja=4125 gcssantodos1965=4730 gcssaobraz=37249 gcssaotome=4823
  gcssapperhill1943=4292 gcssaturn2000=104925 gcsschwarzeck=4293 gcsscoresbysund1952=4195 gcssegora=4294
  gcsselvagemgrande1938=4616 gcsserindung=4295 gcssibungorge1922=5464 gcssierraleone1924=4174
  gcssierraleone1960=104103 gcssierraleone1968=4175 gcssinope2000=104923 gcssirgas=4170 gcssirgas2000=4674
  gcssirgaschile=5360 gcssirgases20078=5393 gcssirgasrou98=5381 gcssjtsk=4156 gcssjtsk05=5228 gcssjtsk05ferro=5229
  gcssjtskferro=4818 gcssld99=5233 gcsslovenia1996=4765 gcssolomon1968=4718 gcssouthamerican1969=4618
  gcssouthasiasingapore=37207 gcssoutheastisland1943=6892 gcssouthyemen=4164 gcssphere=4035 gcsspherearcinfo=37008
  gcssphereclarke1866authalic=4052 gcssphereemep=104128 gcsspheregrs1980authalic=4047
  gcsspheregrs1980meanradius=104047 gcssphereinternational1924authalic=4053 gcssref98=4075 gcsst71belep=4643
  gcsst84iledespins=4642 gcsst87ouvea=4750 gcsstgeorgeisland=4138 gcsstkitts1955=4605 gcsstlawrenceisland=4136
  gcsstlucia1955=4606 gcsstpaulisland=4137 gcsstruve1860=4028 gcsstvincent1945=4607 gcssudan=4296 gcssvy21=4757
  gcssweref99=4619 gcsswisstrf1995=4151 gcstahaa1954=4629 gcstahiti1952=4628 gcstahiti1979=4690 gcstananarive1925=4297
  gcstananarive1925paris=4810 gcstelesto2000=104941 gcsternisland1961=4707 gcstete=4127 gcstethys2000=104942
  gcstgd2005=5886 gcsthalassa2000=104967 gcsthebe2000=104924 gcstimbalai1948=4298 gcstitan2000=104943
  gcstitania2000=104958 gcstm65=4299 gcstm75=4300 gcstokyo=4301 gcstrinidad1903=4302 gcstristan1968=4734
  gcstriton2000=104968 gcstrucialcoast1948=4303 gcsturef=5252 gcstwd1967=3821 gcstwd1997=3824 gcsukraine2000=5561
  gcsumbriel2000=104959 gcsuranus2000=104944 gcsvanualevu1915=4748 gcsvenus1985=104901 gcsvenus2000=104902
  gcsvientiane1982=4676 gcsvitilevu1912=4752 gcsvitilevu1916=4731 gcsvn2000=4756 gcsvoirol1875=4304
  gcsvoirol1875grad=104139 gcsvoirol1875paris=4811 gcsvoirol1879=4671 gcsvoirol1879grad=104140 gcsvoirol1879paris=4821
  gcsvoirolunifie1960=4305 gcsvoirolunifie1960degree=104305 gcsvoirolunifie1960paris=4812 gcswakeeniwetok1960=4732
  gcswakeisland1952=4733 gcswalbeck=37007 gcswaroffice=4029 gcswgs1966=4760 gcswgs1972=4322 gcswgs1972be=4324
  gcswgs1984=4326 gcswgs1984majorauxiliarysphere=4055 gcsxian1980=4610 gcsxrail84=104050 gcsyacare=4309
  gcsyemenngn1996=4163 gcsyoff=4310 gcszanderij=4311 gd1949newzealandmapgrid=27200 gda19943d=4283
  gda1994australiaalbers=3577 gda1994bcsg02=3113 gda1994cig94=6721 gda1994ckig94=6723
  gda1994geoscienceaustralialambert=3112 gda1994mgazone41=6732 gda1994mgazone42=6733 gda1994mgazone43=6734
  gda1994mgazone44=6735 gda1994mgazone46=6736 gda1994mgazone47=6737 gda1994mgazone48=28348 gda1994mgazone49=28349
  gda1994mgazone50=28350 gda1994mgazone51=28351 gda1994mgazone52=28352 gda1994mgazone53=28353 gda1994mgazone54=28354
  gda1994mgazone55=28355 gda1994mgazone56=28356 gda1994mgazone57=28357 gda1994mgazone58=28358 gda1994mgazone59=6738
  gda1994nswlambert=3308 gda1994perthcoastalgrid1994=102216 gda1994southaustralialambert=3107 gda1994vicgrid94=3111
  gda1994weipa94=8391 gda2020=7844 gda20203d=7844 gda2020alb2020=8013 gda2020australianalbers=9473 gda2020bcg2020=8016
  gda2020bcsg2020=20047 gda2020bio2020=8014 gda2020bro2020=8015 gda2020carn2020=8017 gda2020cig2020=8018
  gda2020ckig2020=8019 gda2020col2020=8020 gda2020esp2020=8021 gda2020exm2020=8022 gda2020galcc=7845
  gda2020gcg2020=8023 gda2020gold2020=8024 gda2020jcg2020=8025 gda2020kalb2020=8026 gda2020kar2020=8027
  gda2020kun2020=8028 gda2020lcg2020=8029 gda2020mgazone46=7846 gda2020mgazone47=7847 gda2020mgazone48=7848
  gda2020mgazone49=7849 gda2020mgazone50=7850 gda2020mgazone51=7851 gda2020mgazone52=7852 gda2020mgazone53=7853
  gda2020mgazone54=7854 gda2020mgazone55=7855 gda2020mgazone56=7856 gda2020mgazone57=7857 gda2020mgazone58=7858
  gda2020mgazone59=7859 gda2020mrcg2020=8030 gda2020nswlambert=8058 gda2020pcg2020=8031 gda2020phg2020=8032
  gda2020salambert=8059 gda2020southaustralialambert=8059 gda2020vicgrid=7899 gda94=4283 gda943d=4283
  gda94australianalbers=3577 gda94bcsg02=3113 gda94cig94=6721 gda94ckig94=6723 gda94geoscienceaustralialambert=3112
  gda94mgazone41=6732 gda94mgazone42=6733 gda94mgazone43=6734 gda94mgazone44=6735 gda94mgazone46=6736
  gda94mgazone47=6737 gda94mgazone48=28348 gda94mgazone49=28349 gda94mgazone50=28350 gda94mgazone51=28351
  gda94mgazone52=28352 gda94mgazone53=28353 gda94mgazone54=28354 gda94mgazone55=28355 gda94mgazone56=28356
  gda94mgazone57=28357 gda94mgazone58=28358 gda94mgazone59=6738 gda94nswlambert=3308 gda94salambert=3107
  gda94vicgrid=3111 gda94weipa94=8391 gdbd2009=5246 gdbd20093d=5246 gdbd2009bruneibrso=5247 gdbd2009georso=5247
  gdm2000=4742 gdm20003d=4742 gdm2000brsoeastmalaysia=3376 gdm2000eastmalaysiabrso=3376 gdm2000johorgrid=3377
  gdm2000kedahandperlisgrid=3383 gdm2000kelantangrid=3385 gdm2000mrsopeninsularmalaysia=3375 gdm2000pahanggrid=3379
  gdm2000peninsularso=3375 gdm2000perakgrid=3384 gdm2000pinanggrid=3382 gdm2000selangorgrid=3380
  gdm2000sembilanandmelakagrid=3378 gdm2000statecassinijohor=3377 gdm2000statecassinikelantan=3385
  gdm2000statecassininegerisembilanandmelaka=3378 gdm2000statecassinipahang=3379 gdm2000statecassiniperak=3384
  gdm2000statecassiniperlis=3383 gdm2000statecassinipulaupinangandseberangperai=3382 gdm2000statecassiniselangor=3380
  gdm2000statecassiniterengganu=3381 gdm2000terengganugrid=3381 gdm2008=104028 gdm2008lgm2012=103872
  germanyzone1=31491 germanyzone2=31492 germanyzone3=31493 germanyzone4=31494 germanyzone5=31495 ggd=104022
  ggd3d=104645 ggrs87=4121 ggrs87greekgrid=2100 ghanametregrid=25000 goes16eastabifixedgriditrf2000incorrectgcs=102497
  goes16eastabifixedgriditrf2008=102498 googlemapsglobalmercator=900913 gr96=4747 gr96epsgarcticzone125=6050
  gr96epsgarcticzone218=6051 gr96epsgarcticzone220=6052 gr96epsgarcticzone329=6053 gr96epsgarcticzone331=6054
  gr96epsgarcticzone333=6055 gr96epsgarcticzone420=6056 gr96epsgarcticzone422=6057 gr96epsgarcticzone424=6058
  gr96epsgarcticzone541=6059 gr96epsgarcticzone543=6060 gr96epsgarcticzone545=6061 gr96epsgarcticzone626=6062
  gr96epsgarcticzone628=6063 gr96epsgarcticzone630=6064 gr96epsgarcticzone711=6065 gr96epsgarcticzone713=6066
  gr96epsgarcticzone820=6067 gr96epsgarcticzone822=6068 gr96utmzone18n=3178 gr96utmzone19n=3179 gr96utmzone20n=3180
  gr96utmzone21n=3181 gr96utmzone22n=3182 gr96utmzone23n=3183 gr96utmzone24n=3184 gr96utmzone25n=3185
  gr96utmzone26n=3186 gr96utmzone27n=3187 gr96utmzone28n=3188 gr96utmzone29n=3189 graciosabasesw1948utmzone26n=102162
  grandcayman1959utmzone17n=3356 grandcaymannationalgrid1959=6128 grandcomoros=4646 grandcomorosutm38s=2999
  grandcomorosutmzone38s=2999 greek=4120 greekathens=4815 greekgrid=2100 greenland19963d=4747
  greenland1996utmzone18n=3178 greenland1996utmzone19n=3179 greenland1996utmzone20n=3180 greenland1996utmzone21n=3181
  greenland1996utmzone22n=3182 greenland1996utmzone23n=3183 greenland1996utmzone24n=3184 greenland1996utmzone25n=3185
  greenland1996utmzone26n=3186 greenland1996utmzone27n=3187 greenland1996utmzone28n=3188 greenland1996utmzone29n=3189
  grenada1953=4603 grenada1953britishwestindiesgrid=2003 gsk2011=7683 gsk20113d=7683 gsk2011gausskrugercm105e=21018
  gsk2011gausskrugercm111e=21019 gsk2011gausskrugercm117e=21020 gsk2011gausskrugercm123e=21021
  gsk2011gausskrugercm129e=21022 gsk2011gausskrugercm135e=21023 gsk2011gausskrugercm141e=21024
  gsk2011gausskrugercm147e=21025 gsk2011gausskrugercm153e=21026 gsk2011gausskrugercm159e=21027
  gsk2011gausskrugercm165e=21028 gsk2011gausskrugercm171e=21029 gsk2011gausskrugercm171w=21032
  gsk2011gausskrugercm177e=21030 gsk2011gausskrugercm177w=21031 gsk2011gausskrugercm21e=21004
  gsk2011gausskrugercm27e=21005 gsk2011gausskrugercm33e=21006 gsk2011gausskrugercm39e=21007
  gsk2011gausskrugercm45e=21008 gsk2011gausskrugercm51e=21009 gsk2011gausskrugercm57e=21010
  gsk2011gausskrugercm63e=21011 gsk2011gausskrugercm69e=21012 gsk2011gausskrugercm75e=21013
  gsk2011gausskrugercm81e=21014 gsk2011gausskrugercm87e=21015 gsk2011gausskrugercm93e=21016
  gsk2011gausskrugercm99e=21017 gsk2011gausskrugerzone10=20910 gsk2011gausskrugerzone11=20911
  gsk2011gausskrugerzone12=20912 gsk2011gausskrugerzone13=20913 gsk2011gausskrugerzone14=20914
  gsk2011gausskrugerzone15=20915 gsk2011gausskrugerzone16=20916 gsk2011gausskrugerzone17=20917
  gsk2011gausskrugerzone18=20918 gsk2011gausskrugerzone19=20919 gsk2011gausskrugerzone20=20920
  gsk2011gausskrugerzone21=20921 gsk2011gausskrugerzone22=20922 gsk2011gausskrugerzone23=20923
  gsk2011gausskrugerzone24=20924 gsk2011gausskrugerzone25=20925 gsk2011gausskrugerzone26=20926
  gsk2011gausskrugerzone27=20927 gsk2011gausskrugerzone28=20928 gsk2011gausskrugerzone29=20929
  gsk2011gausskrugerzone30=20930 gsk2011gausskrugerzone31=20931 gsk2011gausskrugerzone32=20932
  gsk2011gausskrugerzone4=20904 gsk2011gausskrugerzone5=20905 gsk2011gausskrugerzone6=20906
  gsk2011gausskrugerzone7=20907 gsk2011gausskrugerzone8=20908 gsk2011gausskrugerzone9=20909 gsk2011gsk3gkcm102e=21334
  gsk2011gsk3gkcm105e=21335 gsk2011gsk3gkcm108e=21336 gsk2011gsk3gkcm111e=21337 gsk2011gsk3gkcm114e=21338
  gsk2011gsk3gkcm117e=21339 gsk2011gsk3gkcm120e=21340 gsk2011gsk3gkcm123e=21341 gsk2011gsk3gkcm126e=21342
  gsk2011gsk3gkcm129e=21343 gsk2011gsk3gkcm132e=21344 gsk2011gsk3gkcm135e=21345 gsk2011gsk3gkcm138e=21346
  gsk2011gsk3gkcm141e=21347 gsk2011gsk3gkcm144e=21348 gsk2011gsk3gkcm147e=21349 gsk2011gsk3gkcm150e=21350
  gsk2011gsk3gkcm153e=21351 gsk2011gsk3gkcm156e=21352 gsk2011gsk3gkcm159e=21353 gsk2011gsk3gkcm162e=21354
  gsk2011gsk3gkcm165e=21355 gsk2011gsk3gkcm168e=21356 gsk2011gsk3gkcm168w=21364 gsk2011gsk3gkcm171e=21357
  gsk2011gsk3gkcm171w=21363 gsk2011gsk3gkcm174e=21358 gsk2011gsk3gkcm174w=21362 gsk2011gsk3gkcm177e=21359
  gsk2011gsk3gkcm177w=21361 gsk2011gsk3gkcm180e=21360 gsk2011gsk3gkcm21e=21307 gsk2011gsk3gkcm24e=21308
  gsk2011gsk3gkcm27e=21309 gsk2011gsk3gkcm30e=21310 gsk2011gsk3gkcm33e=21311 gsk2011gsk3gkcm36e=21312
  gsk2011gsk3gkcm39e=21313 gsk2011gsk3gkcm42e=21314 gsk2011gsk3gkcm45e=21315 gsk2011gsk3gkcm48e=21316
  gsk2011gsk3gkcm51e=21317 gsk2011gsk3gkcm54e=21318 gsk2011gsk3gkcm57e=21319 gsk2011gsk3gkcm60e=21320
  gsk2011gsk3gkcm63e=21321 gsk2011gsk3gkcm66e=21322 gsk2011gsk3gkcm69e=21323 gsk2011gsk3gkcm72e=21324
  gsk2011gsk3gkcm75e=21325 gsk2011gsk3gkcm78e=21326 gsk2011gsk3gkcm81e=21327 gsk2011gsk3gkcm84e=21328
  gsk2011gsk3gkcm87e=21329 gsk2011gsk3gkcm90e=21330 gsk2011gsk3gkcm93e=21331 gsk2011gsk3gkcm96e=21332
  gsk2011gsk3gkcm99e=21333 gsk2011gsk3gkzone10=21210 gsk2011gsk3gkzone11=21211 gsk2011gsk3gkzone12=21212
  gsk2011gsk3gkzone13=21213 gsk2011gsk3gkzone14=21214 gsk2011gsk3gkzone15=21215 gsk2011gsk3gkzone16=21216
  gsk2011gsk3gkzone17=21217 gsk2011gsk3gkzone18=21218 gsk2011gsk3gkzone19=21219 gsk2011gsk3gkzone20=21220
  gsk2011gsk3gkzone21=21221 gsk2011gsk3gkzone22=21222 gsk2011gsk3gkzone23=21223 gsk2011gsk3gkzone24=21224
  gsk2011gsk3gkzone25=21225 gsk2011gsk3gkzone26=21226 gsk2011gsk3gkzone27=21227 gsk2011gsk3gkzone28=21228
  gsk2011gsk3gkzone29=21229 gsk2011gsk3gkzone30=21230 gsk2011gsk3gkzone31=21231 gsk2011gsk3gkzone32=21232
  gsk2011gsk3gkzone33=21233 gsk2011gsk3gkzone34=21234 gsk2011gsk3gkzone35=21235 gsk2011gsk3gkzone36=21236
  gsk2011gsk3gkzone37=21237 gsk2011gsk3gkzone38=21238 gsk2011gsk3gkzone39=21239 gsk2011gsk3gkzone40=21240
  gsk2011gsk3gkzone41=21241 gsk2011gsk3gkzone42=21242 gsk2011gsk3gkzone43=21243 gsk2011gsk3gkzone44=21244
  gsk2011gsk3gkzone45=21245 gsk2011gsk3gkzone46=21246 gsk2011gsk3gkzone47=21247 gsk2011gsk3gkzone48=21248
  gsk2011gsk3gkzone49=21249 gsk2011gsk3gkzone50=21250 gsk2011gsk3gkzone51=21251 gsk2011gsk3gkzone52=21252
  gsk2011gsk3gkzone53=21253 gsk2011gsk3gkzone54=21254 gsk2011gsk3gkzone55=21255 gsk2011gsk3gkzone56=21256
  gsk2011gsk3gkzone57=21257 gsk2011gsk3gkzone58=21258 gsk2011gsk3gkzone59=21259 gsk2011gsk3gkzone60=21260
  gsk2011gsk3gkzone61=21261 gsk2011gsk3gkzone62=21262 gsk2011gsk3gkzone63=21263 gsk2011gsk3gkzone64=21264
  gsk2011gsk3gkzone7=21207 gsk2011gsk3gkzone8=21208 gsk2011gsk3gkzone9=21209 gtm=103598 guadeloupe1948=4622
  guadeloupe1948utmzone20n=2970 guam1963=4675 guam1963guamspcs=3993 guam1963yapislands=3295
  guamgeodeticnetwork1993=102240 guamgeodetictriangulationnetwork1963=102239 guernseygrid=102070 gulshan303=4682
  gulshan303bangladeshtm=3106 gulshan303bangladeshtransversemercator=9678 gulshan303tm90ne=3106
  gunungsegarajakartaneiez=5329 gunungsegaraneiez=3000 gunungsegarautmzone50s=2933 gusterbergferro=8042
  gusterberggridferro=8044 guyanefrancaise=4235 hanoi1972=4147 hanoi1972gausskrugerzone18=2044
  hanoi1972gausskrugerzone19=2045 hanoi1972gk106ne=2093 hanoi1972gkzone18=2044 hanoi1972gkzone19=2045
  hartebeesthoek19943d=4148 hartebeesthoek94=4148 hartebeesthoek943d=4148 hartebeesthoek94lo15=102480
  hartebeesthoek94lo17=102481 hartebeesthoek94lo19=102482 hartebeesthoek94lo19en=102562 hartebeesthoek94lo21=102483
  hartebeesthoek94lo21en=102563 hartebeesthoek94lo23=102484 hartebeesthoek94lo23en=102564 hartebeesthoek94lo25=102485
  hartebeesthoek94lo25en=102565 hartebeesthoek94lo27=102486 hartebeesthoek94lo27en=102566 hartebeesthoek94lo29=102487
  hartebeesthoek94lo29en=102567 hartebeesthoek94lo31=102488 hartebeesthoek94lo31en=102568 hartebeesthoek94lo33=102489
  hartebeesthoek94zafbsualbers25e=9221 hartebeesthoek94zafbsualbers44e=9222 hawaiialbersequalareaconic=102007
  hd1909=3819 hd72=4237 hd72eov=23700 helene2015=104982 helle1954=4660 helle1954janmayengrid=3058 heratnorth=4255
  hitoxviii1963=4254 hitoxviii1963argentina2=2083 hitoxviii1963utm19s=2084 hitoxviii1963utmzone19s=2084
  hjaiaairportgrid2mar10=102460 hjorsey1955=4658 hjorsey1955lambert1955=3053 hjorsey1955utmzone26n=3054
  hjorsey1955utmzone27n=3055 hjorsey1955utmzone28n=3056 hongkong1963=4738 hongkong196367=4739
  hongkong1963gridsystem=3407 hongkong1980=4611 hongkong1980grid=2326 hongkong1980gridsystem=2326
  hongkong1980utmzone49n=102141 hongkong1980utmzone50n=102142 hongkonggeodeticcs=8427 hongkonggeodeticcs3d=8427
  hs2irf=9299 hs2surveygrid=9300 htrs96=4761 htrs963d=4761 htrs96croatialcc=3766 htrs96croatiatm=3765
  htrs96utmzone33n=3767 htrs96utmzone34n=3768 hullee13grid=9967 hullee13irf=9964
  hungarian1972egysegesorszagosvetuleti=23700 hutzushan1950=4236 hutzushan1950utmzone51n=3829 hutzushanutmzone51n=3829
  hyperion2015=104983 iapetus2015=104984 id74=4238 id74utmzone46n=23846 id74utmzone46s=23886 id74utmzone47n=23847
  id74utmzone47s=23887 id74utmzone48n=23848 id74utmzone48s=23888 id74utmzone49n=23849 id74utmzone49s=23889
  id74utmzone50n=23850 id74utmzone50s=23890 id74utmzone51n=23851 id74utmzone51s=23891 id74utmzone52n=23852
  id74utmzone52s=23892 id74utmzone53n=23853 id74utmzone53s=23893 id74utmzone54s=23894 ig0512intermediatecrs=6990
  ig052012intermediatecrs=6990 ig052012intermediatecrs3d=6990 ig05intermediatecrs=6983 ig05intermediatecrs3d=6983
  igb00=9009 igb003d=9009 igb08=9017 igb083d=9017 igb14=9380 igb143d=9380 igc19626thparallelsouth=4697
  igc1962congotmzone12=3318 igc1962congotmzone14=3319 igc1962congotmzone16=3320 igc1962congotmzone18=3321
  igc1962congotmzone20=3322 igc1962congotmzone22=3323 igc1962congotmzone24=3324 igc1962congotmzone26=3325
  igc1962congotmzone28=3326 igc1962congotmzone30=3327 igcb1955=4701 igcb1955congotmzone12=3339
  igcb1955congotmzone14=3340 igcb1955congotmzone16=3341 igcb1955utmzone33s=3342 igd05=7136 igd0512=7139 igd052012=7139
  igd0520123d=7139 igd053d=7136 igm19953d=4670 igm1995utmzone32n=3064 igm1995utmzone33n=3065 igm95=4670
  igm95utmzone32n=3064 igm95utmzone33n=3065 igm95utmzone34n=9716 ign1962kerguelen=4698 ign1962kerguelenutmzone42s=3336
  ign53mare=4641 ign53mareutm58s=2995 ign53mareutmzone58s=2995 ign53mareutmzone59s=3172 ign56lifou=4633
  ign56lifouutm58s=2981 ign56lifouutmzone58s=2981 ign63hivaoa=4689 ign63hivaoautmzone7s=3302 ign72grandeterre=4662
  ign72grandeterreutm58s=3060 ign72grandeterreutmzone58s=3060 ign72grandterre=4634 ign72grandterreutmzone58s=2982
  ign72nukuhiva=4630 ign72nukuhivautm7s=2978 ign72nukuhivautmzone7s=2978 ignastro1960=4700 ignastro1960utmzone28n=3367
  ignastro1960utmzone29n=3368 ignastro1960utmzone30n=3369 igrs=3889 igrs3d=3889 igrsutmzone37n=3890
  igrsutmzone38n=3891 igrsutmzone39n=3892 igs00=9006 igs003d=9006 igs05=9012 igs053d=9012 igs08=9014 igs083d=9014
  igs14=9019 igs143d=9019 igs97=9003 igs973d=9003 ikbd92=4667 indian1954=4239 indian1954utmzone46n=23946
  indian1954utmzone47n=23947 indian1954utmzone48n=23948 indian1960=4131 indian1960tm106ne=3176
  indian1960utmzone48n=3148 indian1960utmzone49n=3149 indian1975=4240 indian1975utmzone47n=24047
  indian1975utmzone48n=24048 indonesian1974utmzone46n=23846 indonesian1974utmzone46s=23886
  indonesian1974utmzone47n=23847 indonesian1974utmzone47s=23887 indonesian1974utmzone48n=23848
  indonesian1974utmzone48s=23888 indonesian1974utmzone49n=23849 indonesian1974utmzone49s=23889
  indonesian1974utmzone50n=23850 indonesian1974utmzone50s=23890 indonesian1974utmzone51n=23851
  indonesian1974utmzone51s=23891 indonesian1974utmzone52n=23852 indonesian1974utmzone52s=23892
  indonesian1974utmzone53n=23853 indonesian1974utmzone53s=23893 indonesian1974utmzone54s=23894 io2015=104876
  irenet95=4173 irenet953d=4173 irenet95irishtransversemercator=2157 irenet95utmzone29n=2158 isn19933d=4659
  isn1993lambert1993=3057 isn2004=5324 isn20043d=5324 isn2004laeaeurope=5638 isn2004laeaiceland=9947
  isn2004lambert2004=5325 isn2004lcceurope=5639 isn2016=8086 isn20163d=8086 isn2016laeaeurope=9039
  isn2016lambert2016=8088 isn2016lcceurope=9040 isn93=4659 isn933d=4659 isn93lambert1993=3057 israel1993=4141
  israel1993israelitmgrid=2039 israeligrid05=6984 israeligrid0512=6991 israeltmgrid=2039 itrf19883d=8988
  itrf19893d=8989 itrf19903d=8990 itrf19913d=8991 itrf19923d=8992 itrf19933d=8993 itrf19943d=8994 itrf19963d=8995
  itrf19973d=8996 itrf2000=8997 itrf20003d=8997 itrf2005=8998 itrf20053d=8998 itrf2008=8999 itrf20083d=8999
  itrf2014=9000 itrf20143d=9000 itrf2020=9990 itrf88=8988 itrf89=8989 itrf90=8990 itrf91=8991 itrf92=8992 itrf93=8993
  itrf94=8994 itrf96=8995 itrf97=8996 iwojima1945=4709 jad2001=4758 jad20013d=4758 jad2001jamaicagrid=3448
  jad2001jamaicametricgrid=3448 jad2001utmzone17n=3449 jad2001utmzone18n=3450 jad69=4242
  jad69jamaicanationalgrid=24200 jamaica1875=4241 jamaica1875jamaicaoldgrid=24100 jamaica1875oldgrid=24100
  jamaicagrid=24200 janus2015=104985 japanzone1=30161 japanzone10=30170 japanzone11=30171 japanzone12=30172
  japanzone13=30173 japanzone14=30174 japanzone15=30175 japanzone16=30176 japanzone17=30177 japanzone18=30178
  japanzone19=30179 japanzone2=30162 japanzone3=30163 japanzone4=30164 japanzone5=30165 japanzone6=30166
  japanzone7=30167 japanzone8=30168 japanzone9=30169 jaxasnowdepthpolarstereographicnorth=5890 jgd2000=4612
  jgd20003d=4612 jgd2000japanplanerectangularcsi=2443 jgd2000japanplanerectangularcsii=2444
  jgd2000japanplanerectangularcsiii=2445 jgd2000japanplanerectangularcsiv=2446 jgd2000japanplanerectangularcsix=2451
  jgd2000japanplanerectangularcsv=2447 jgd2000japanplanerectangularcsvi=2448 jgd2000japanplanerectangularcsvii=2449
  jgd2000japanplanerectangularcsviii=2450 jgd2000japanplanerectangularcsx=2452 jgd2000japanplanerectangularcsxi=2453
  jgd2000japanplanerectangularcsxii=2454 jgd2000japanplanerectangularcsxiii=2455
  jgd2000japanplanerectangularcsxiv=2456 jgd2000japanplanerectangularcsxix=2461 jgd2000japanplanerectangularcsxv=2457
  jgd2000japanplanerectangularcsxvi=2458 jgd2000japanplanerectangularcsxvii=2459
  jgd2000japanplanerectangularcsxviii=2460 jgd2000japanzone1=2443 jgd2000japanzone10=2452 jgd2000japanzone11=2453
  jgd2000japanzone12=2454 jgd2000japanzone13=2455 jgd2000japanzone14=2456 jgd2000japanzone15=2457
  jgd2000japanzone16=2458 jgd2000japanzone17=2459 jgd2000japanzone18=2460 jgd2000japanzone19=2461
  jgd2000japanzone2=2444 jgd2000japanzone3=2445 jgd2000japanzone4=2446 jgd2000japanzone5=2447 jgd2000japanzone6=2448
  jgd2000japanzone7=2449 jgd2000japanzone8=2450 jgd2000japanzone9=2451 jgd2000utmzone51n=3097 jgd2000utmzone52n=3098
  jgd2000utmzone53n=3099 jgd2000utmzone54n=3100 jgd2000utmzone55n=3101 jgd2000utmzone56n=102150 jgd2011=6668
  jgd20113d=6668 jgd2011japanplanerectangularcsi=6669 jgd2011japanplanerectangularcsii=6670
  jgd2011japanplanerectangularcsiii=6671 jgd2011japanplanerectangularcsiv=6672 jgd2011japanplanerectangularcsix=6677
  jgd2011japanplanerectangularcsv=6673 jgd2011japanplanerectangularcsvi=6674 jgd2011japanplanerectangularcsvii=6675
  jgd2011japanplanerectangularcsviii=6676 jgd2011japanplanerectangularcsx=6678 jgd2011japanplanerectangularcsxi=6679
  jgd2011japanplanerectangularcsxii=6680 jgd2011japanplanerectangularcsxiii=6681
  jgd2011japanplanerectangularcsxiv=6682 jgd2011japanplanerectangularcsxix=6687 jgd2011japanplanerectangularcsxv=6683
  jgd2011japanplanerectangularcsxvi=6684 jgd2011japanplanerectangularcsxvii=6685
  jgd2011japanplanerectangularcsxviii=6686 jgd2011japanzone1=6669 jgd2011japanzone10=6678 jgd2011japanzone11=6679
  jgd2011japanzone12=6680 jgd2011japanzone13=6681 jgd2011japanzone14=6682 jgd2011japanzone15=6683
  jgd2011japanzone16=6684 jgd2011japanzone17=6685 jgd2011japanzone18=6686 jgd2011japanzone19=6687
  jgd2011japanzone2=6670 jgd2011japanzone3=6671 jgd2011japanzone4=6672 jgd2011japanzone5=6673 jgd2011japanzone6=6674
  jgd2011japanzone7=6675 jgd2011japanzone8=6676 jgd2011japanzone9=6677 jgd2011utmzone51n=6688 jgd2011utmzone52n=6689
  jgd2011utmzone53n=6690 jgd2011utmzone54n=6691 jgd2011utmzone55n=6692 jgd2011utmzone56n=102598
  johnstonisland1961=4725 jordanjtm=102158 jouik1961=4679 k01949=4631 k01949utmzone42s=2979 kalianpur1880=4243
  kalianpur1880indiazone0=24370 kalianpur1880indiazonei=24371 kalianpur1880indiazoneiia=24372
  kalianpur1880indiazoneiib=24382 kalianpur1880indiazoneiii=24373 kalianpur1880indiazoneiiia=24373
  kalianpur1880indiazoneiv=24374 kalianpur1880indiazoneiva=24374 kalianpur1937=4144 kalianpur1937indiazoneiib=24375
  kalianpur1937utmzone45n=24305 kalianpur1937utmzone46n=24306 kalianpur1962=4145 kalianpur1962indiazonei=24376
  kalianpur1962indiazoneiia=24377 kalianpur1962utmzone41n=24311 kalianpur1962utmzone42n=24312
  kalianpur1962utmzone43n=24313 kalianpur1975=4146 kalianpur1975indiazonei=24378 kalianpur1975indiazoneiia=24379
  kalianpur1975indiazoneiib=24380 kalianpur1975indiazoneiii=24381 kalianpur1975indiazoneiiia=24381
  kalianpur1975indiazoneiv=24383 kalianpur1975indiazoneiva=24383 kalianpur1975utmzone42n=24342
  kalianpur1975utmzone43n=24343 kalianpur1975utmzone44n=24344 kalianpur1975utmzone45n=24345
  kalianpur1975utmzone46n=24346 kalianpur1975utmzone47n=24347 kandawala=4244 kandawalaceylonbeltindianyards1937=102064
  kandawalaceylonbeltmeters=102063 kandawalasrilankagrid=5234 karbala1979=4743 karbala1979iraqnationalgrid=6646
  karbala1979polserviceutmzone37n=3391 karbala1979polserviceutmzone38n=3392 karbala1979polserviceutmzone39n=3393
  karbala1979utmzone37n=3391 karbala1979utmzone38n=3392 karbala1979utmzone39n=3393 kasai1953=4696
  kasai1953congotmzone22=3316 kasai1953congotmzone24=3317 katanga1955=4695 katanga1955katangagausszonea=3986
  katanga1955katangagausszoneb=3987 katanga1955katangagausszonec=3988 katanga1955katangagausszoned=3989
  katanga1955katangalambert=4415 katanga1955katangatm=3315 kerguelenisland1949utm42s=3336 kertau1968=4245
  kertau1968johorgrid=4390 kertau1968kedahandperlisgrid=4396 kertau1968kelantangrid=4398 kertau1968pahanggrid=4392
  kertau1968perakrevisedgrid=4397 kertau1968pinanggrid=4395 kertau1968selangorgrid=4393
  kertau1968sembilanandmelakagrid=4391 kertau1968singaporegrid=24500 kertau1968terengganugrid=4394
  kertau1968utmzone47n=24547 kertau1968utmzone48n=24548 kertaurso=4751 kertaursomalayach=24571
  kertaursomalayachains=24571 kertaursomalayameters=102062 kertaursorsomalaya=3168 kertaursorsomalayach=3167
  kertaursorsomalayachsears1922trunc=3167 kertaursorsomalayam=3168 kertausingaporegrid=24500 kertauutmzone47n=24547
  kertauutmzone48n=24548 kkj=4123 kkjfinlanduniformcoordinatesystem=2393 kkjfinlandzone0=3386 kkjfinlandzone1=2391
  kkjfinlandzone2=2392 kkjfinlandzone4=2394 kkjfinlandzone5=3387 koc=4246 koclambert=24600 korea2000=4737
  korea20003d=4737 korea2000centralbelt=5181 korea2000centralbelt2010=5186 korea2000centralbeltjeju=5182
  korea2000eastbelt=5183 korea2000eastbelt2010=5187 korea2000eastseabelt=5184 korea2000eastseabelt2010=5188
  korea2000koreacentralbelt=5181 korea2000koreacentralbelt2010=5186 korea2000koreacentralbeltjeju=5182
  korea2000koreaeastbelt=5183 korea2000koreaeastbelt2010=5187 korea2000koreaeastseabelt=5184
  korea2000koreaeastseabelt2010=5188 korea2000koreaunifiedcoordinatesystem=5179 korea2000koreawestbelt=5180
  korea2000koreawestbelt2010=5185 korea2000unifiedcs=5179 korea2000westbelt=5180 korea2000westbelt2010=5185
  korean1985=4162 korean1985centralbelt=2097 korean1985centralbeltjeju=5168 korean1985eastbelt=2096
  korean1985eastseabelt=5167 korean1985koreacentralbelt=2097 korean1985koreacentralbeltjeju=5168
  korean1985koreaeastbelt=2096 korean1985koreaeastseabelt=5167 korean1985koreaunifiedcoordinatesystem=5178
  korean1985koreawestbelt=2098 korean1985modifiedcentralbelt=5174 korean1985modifiedcentralbeltjeju=5175
  korean1985modifiedeastbelt=5176 korean1985modifiedeastseabelt=5177 korean1985modifiedkoreacentralbelt=5174
  korean1985modifiedkoreacentralbeltjeju=5175 korean1985modifiedkoreaeastbelt=5176
  korean1985modifiedkoreaeastseabelt=5177 korean1985modifiedkoreawestbelt=5173 korean1985modifiedwestbelt=5173
  korean1985unifiedcs=5178 korean1985westbelt=2098 korean1995=4166 kosovaref01=9140 kosovaref013d=9140
  kosovaref01balkanszone7=9141 kousseri=4198 kousseriutmzone33n=2313 ksagrf17=9333 ksagrf173d=9333
  ksagrf17utmzone36n=9356 ksagrf17utmzone37n=9357 ksagrf17utmzone38n=9358 ksagrf17utmzone39n=9359
  ksagrf17utmzone40n=9360 kudams=4319 kudamsktm=31901 kusaie1951=4735 kyrg06=7686 kyrg063d=7686 kyrg06tmzone1=7692
  kyrg06tmzone2=7693 kyrg06tmzone3=7694 kyrg06tmzone4=7695 kyrg06tmzone5=7696 kyrg06zone1=7692 kyrg06zone2=7693
  kyrg06zone3=7694 kyrg06zone4=7695 kyrg06zone5=7696 lacanoa=4247 lacanoautmzone18n=24718 lacanoautmzone19n=24719
  lacanoautmzone20n=24720 lacanoautmzone21n=24721 lake=4249 lakemaracaibogrid=2102 lakemaracaibogridm1=2101
  lakemaracaibogridm3=2103 lakemaracaibolarosagrid=2104 lao1993=4677 lao19933d=4677 lao1997=4678 lao19973d=4678
  larissa2015=104997 lccbangladesh=102951 lccgulshan=102952 leigon=4250 leigonghanametregrid=25000 lepouce1934=4699
  lepouce1934mauritiusgrid=3337 lgd2006=4754 lgd20063d=4754 lgd2006libyatm=3177 lgd2006libyatmzone10=3195
  lgd2006libyatmzone11=3196 lgd2006libyatmzone12=3197 lgd2006libyatmzone13=3198 lgd2006libyatmzone5=3190
  lgd2006libyatmzone6=3191 lgd2006libyatmzone7=3192 lgd2006libyatmzone8=3193 lgd2006libyatmzone9=3194
  lgd2006utmzone32n=3199 lgd2006utmzone33n=3201 lgd2006utmzone34n=3202 lgd2006utmzone35n=3203 liberia1964=4251
  lietuvoskoordinoeisistema1994=2600 lisboabesselbonne=102163 lisboahayfordgaussigeoe=102164
  lisboahayfordgaussipcc=102165 lisbon=4207 lisbon1890=4666 lisbon1890lisbon=4904 lisbon1890lisbonportugalbonne=2963
  lisbon1890portugalbonnenew=5017 lisbonlisbon=4803 lisbonlisbonportuguesegrid=20791
  lisbonlisbonportuguesenationalgrid=20790 lisbonportuguesegridnew=5018 littlecayman1961utmzone17n=3357 lks19923d=4661
  lks1992latviatm=3059 lks1992latviatm0=102440 lks19943d=4669 lks1994lithuaniatm=3346 lks92=4661 lks923d=4661
  lks92latviatm=3059 lks94=4669 lks94etrs89=4126 lks94etrs893d=4669 lks94lithuaniatm=3346 locodjo1965=4142
  locodjo1965tm5nw=2164 locodjo1965utmzone29n=2042 locodjo1965utmzone30n=2040 lomaquintana=4288 lome=4252
  lomeutmzone31n=25231 londonsurveygrid=102400 ltf2004g=9547 ltf2004g3d=9547 luref=4181 lurefluxembourgtm=2169
  lurefluxembourgtm3d=9895 luzon1911=4253 luzon1911philippineszonei=25391 luzon1911philippineszoneii=25392
  luzon1911philippineszoneiii=25393 luzon1911philippineszoneiv=25394 luzon1911philippineszonev=25395
  luzon1911utmzone50n=102453 luzon1911utmzone51n=102454 luzon1911utmzone52n=102455 macao1920=8428
  macao1920macaogrid=8433 macao2008=8431 macao20083d=8431 macao2008macaogrid=102448 macariosolis=5371
  macedonianstatecoordinatesystem=6204 macedoniastatecoordinatesystem=6204
  macedoniastatecoordinatesystemtruncated=9945 madeira1936=4185 madeira1936utmzone28n=2191 madrid1870madrid=4903
  madrid1870madridspain=2062 madrid1870madridspainlcc=2062 madzansua=4128 magna3d=4686 magnaarauca2007=6244
  magnaarmeniaquindio2006=6245 magnabarranquillaatlantico1997=6246 magnabogotadc2005=6247
  magnabucaramangasantander2008=6248 magnacalivalledelcauca2009=6249 magnacartagenabolivar2005=6250
  magnaciudadbogota=102233 magnacolombiabogota=3116 magnacolombiaeste=3117 magnacolombiaesteeste=3118
  magnacolombiaoeste=3115 magnacolombiaoesteoeste=3114 magnacucutanortedesantander2011=6251
  magnaflorenciacaqueta2007=6252 magnaibaguetolima2007=6253 magnainiridaguainia2008=6254 magnaleticiaamazonas1994=6255
  magnamanizalescaldas2011=6256 magnamedellinantioquia2010=6257 magnamituvaupes2011=6258 magnamocoaputumayo2011=6259
  magnamonteriacordoba2006=6260 magnaneivahuila2006=6261 magnapastonarino2008=6262 magnapereirarisaralda2007=6263
  magnapopayancauca2006=6264 magnapuertocarrenovichada2011=6265 magnaquibdochoco2011=6266
  magnariohachalaguajira2006=6267 magnasanandres2007=6268 magnasanjosedelguaviare2011=6269
  magnasantamartamagdalena2007=6270 magnasirgas=4686 magnasirgasaraucaurbangrid=6244 magnasirgasarmeniaurbangrid=6245
  magnasirgasbarranquillaurbangrid=6246 magnasirgasbogotaurbangrid=6247 magnasirgasbucaramangaurbangrid=6248
  magnasirgascaliurbangrid=6249 magnasirgascartagenaurbangrid=6250 magnasirgascmt12=103599
  magnasirgascolombiabogotazone=3116 magnasirgascolombiaeastcentralzone=3117 magnasirgascolombiaeastzone=3118
  magnasirgascolombiafarwestzone=3114 magnasirgascolombiawestzone=3115 magnasirgascucutaurbangrid=6251
  magnasirgasflorenciaurbangrid=6252 magnasirgasibagueurbangrid=6253 magnasirgasiniridaurbangrid=6254
  magnasirgasleticiaurbangrid=6255 magnasirgasmanizalesurbangrid=6256 magnasirgasmedellinurbangrid=6257
  magnasirgasmituurbangrid=6258 magnasirgasmocoaurbangrid=6259 magnasirgasmonteriaurbangrid=6260
  magnasirgasneivaurbangrid=6261 magnasirgasorigennacional=9377 magnasirgaspastourbangrid=6262
  magnasirgaspereiraurbangrid=6263 magnasirgaspopayanurbangrid=6264 magnasirgaspuertocarrenourbangrid=6265
  magnasirgasquibdourbangrid=6266 magnasirgasriohachaurbangrid=6267 magnasirgassanandresurbangrid=6268
  magnasirgassanjosedelguaviareurbangrid=6269 magnasirgassantamartaurbangrid=6270 magnasirgassucreurbangrid=6271
  magnasirgastunjaurbangrid=6272 magnasirgasvalleduparurbangrid=6273 magnasirgasvillavicenciourbangrid=6274
  magnasirgasyopalurbangrid=6275 magnasucre2006=6271 magnatunjaboyaca1997=6272 magnavalleduparcesar2011=6273
  magnavillavicenciometa2011=6274 magnayopalcasanare2006=6275 mahe1971=4256 makassar=4257 makassarjakarta=4804
  makassarjakartaneiez=5331 makassarneiez=3002 malongo1987=4259 malongo1987utmzone32s=25932 malongo1987utmzone33s=7992
  manoca=4260 manoca1962=4193 manoca1962utmzone32n=2215 marcariosolis3d=5371 marcusisland1952=4711 margen=5354
  margen3d=5354 margenutmzone19s=5356 margenutmzone20s=5355 margenutmzone21s=5357
  mars2000equidistantcylindricalsphere=103885 mars2000northpolestereographicsphere=103883
  mars2000sinusoidalsphere=103886 mars2000southpolestereographicsphere=103884 mars2000sphere=104971
  mars2000winkeltripelsphere=103887 marshallislands1960=4732 martinique1938=4625 martinique1938utmzone20n=2973
  massawa=4262 massawautmzone37n=26237 maupiti1983utmzone5s=3306 maupiti83=4692 maupiti83utmzone5s=3306
  mauritania1999=4702 mauritania19993d=4702 mauritania1999utmzone28n=3343 mauritania1999utmzone29n=3344
  mauritania1999utmzone30n=3345 merchich=4261 merchichdegreeutmzone28n=102144 merchichnordmaroc=26191
  merchichsahara=26193 merchichsaharanord=26194 merchichsaharasud=26195 merchichsudmaroc=26192 mercury2015=104974
  methone2015=104986 metis2015=104877 mexicandatum1993utmzone11n=4484 mexicandatum1993utmzone12n=4485
  mexicandatum1993utmzone13n=4486 mexicandatum1993utmzone14n=4487 mexicandatum1993utmzone15n=4488
  mexicandatum1993utmzone16n=4489 mexicandatumof19933d=4483 mexicoitrf2008=6365 mexicoitrf20083d=6365
  mexicoitrf2008lcc=6372 mexicoitrf2008utmzone11n=6366 mexicoitrf2008utmzone12n=6367 mexicoitrf2008utmzone13n=6368
  mexicoitrf2008utmzone14n=6369 mexicoitrf2008utmzone15n=6370 mexicoitrf2008utmzone16n=6371 mexicoitrf92=4483
  mexicoitrf92lcc=6362 mexicoitrf92utmzone11n=4484 mexicoitrf92utmzone12n=4485 mexicoitrf92utmzone13n=4486
  mexicoitrf92utmzone14n=4487 mexicoitrf92utmzone15n=4488 mexicoitrf92utmzone16n=4489 mgi=4312 mgi1901=3906
  mgi1901balkans5nedeprecated=3907 mgi1901balkans6nedeprecated=3908 mgi1901balkans7nedeprecated=3909
  mgi1901balkans8nedeprecated=3910 mgi1901balkanszone5=8677 mgi1901balkanszone6=8678 mgi1901balkanszone7=6316
  mgi1901balkanszone8=8679 mgi1901slovenenationalgrid=3912 mgi1901sloveniagrid=8686 mgi3d=4312
  mgi3degreegausszone5=31265 mgi3degreegausszone6=31266 mgi3degreegausszone7=31267 mgi3degreegausszone8=31268
  mgiaustriacentral=9272 mgiaustriaeast=9273 mgiaustriagkcentral=31255 mgiaustriagkeast=31256 mgiaustriagkm28=31257
  mgiaustriagkm31=31258 mgiaustriagkm34=31259 mgiaustriagkwest=31254 mgiaustrialambert=31287 mgiaustriam28=31284
  mgiaustriam31=31285 mgiaustriam34=31286 mgiaustriawest=9271 mgibalkans5=31275 mgibalkans6=31276 mgibalkans7=31277
  mgibalkans8=31278 mgibalkanszone5=31275 mgibalkanszone6=31276 mgibalkanszone7=31277 mgibalkanszone8=31278
  mgiferro=4805 mgiferroaustriacentralzone=31282 mgiferroaustriaeastzone=31283 mgiferroaustriagkcentral=31252
  mgiferroaustriagkcentralzone=31252 mgiferroaustriagkeast=31253 mgiferroaustriagkeastzone=31253
  mgiferroaustriagkwest=31251 mgiferroaustriagkwestzone=31251 mgiferroaustriawestzone=31281
  mgiferroaustriazonem28=31288 mgiferroaustriazonem31=31289 mgiferroaustriazonem34=31290 mgiferrom28=31288
  mgiferrom31=31289 mgiferrom34=31290 mgim28=31284 mgim31=31285 mgim34=31286 mgislovenenationalgrid=3787
  mgisloveniagrid=2170 mhast=4264 mhast1951=4703 mhastoffshore=4705 mhastoffshoreutmzone32s=3354 mhastonshore=4704
  mhastonshoreutmzone32s=3353 mhastutmzone32s=26432 midway1961=4727 mimas2015=104987 minna=4263
  minnanigeriaeastbelt=26393 minnanigeriamidbelt=26392 minnanigeriawestbelt=26391 minnautmzone31n=26331
  minnautmzone32n=26332 mml07grid=9373 mml07irf=9372 mmn=9251 mmnargentina2=9252 mms=9253 mmsargentina2=9254
  moldor11grid=9880 moldor11irf=9871 moldref99=4023 moldref993d=4023 moldref99moldovatm=4026 monref19973d=104653
  monref1997utmzone46n=102224 monref1997utmzone47n=102225 monref1997utmzone48n=102226 monref1997utmzone49n=102227
  monref1997utmzone50n=102228 montemario=4265 montemarioitaly1=3003 montemarioitaly2=3004 montemarioitalyzone1=3003
  montemarioitalyzone2=3004 montemariorome=4806 montemarioromeitaly1=26591 montemarioromeitaly2=26592
  montemarioromeitalyzone1=26591 montemarioromeitalyzone2=26592 montemariotmemiliaromagna=5659 montserrat1958=4604
  montserrat1958britishwestindiesgrid=2004 moon2000equidistantcylindrical=103881
  moon2000farsidelambertazimuthalequalarea=103879 moon2000nearsidelambertazimuthalequalarea=103880
  moon2000northpolestereographic=103877 moon2000sinusoidal=103882 moon2000southpolestereographic=103878
  moorea1987utmzone6s=3305 moorea87=4691 moorea87utmzone6s=3305 mop78=4639 mop78utm1s=2988 mop78utmzone1s=2988
  mountdillon=4157 mountdillontobagogrid=2066 moznet=4130 moznet3d=4130 moznetutmzone36s=3036 moznetutmzone37s=3037
  moznetutmzone38s=5629 mporaloko=4266 mporalokoutmzone32n=26632 mporalokoutmzone32s=26692 mrh21grid=9869
  mrh21irf=9866 mtrf2000=8818 mtrf20003d=8818 mtrf2000utmzone36n=8836 mtrf2000utmzone37n=8837 mtrf2000utmzone38n=8838
  mtrf2000utmzone39n=8839 mtrf2000utmzone40n=8840 mwc18grid=20002 mwc18irf=20033 nad192710tmaepforest=102178
  nad192710tmaepresource=102179 nad19273tm111=3771 nad19273tm114=3772 nad19273tm117=3773 nad19273tm120=3800
  nad1927alaskaalbersfeet=2964 nad1927alaskaalbersmeters=102117 nad1927blmzone10n=4410 nad1927blmzone11n=4411
  nad1927blmzone12n=4412 nad1927blmzone13n=4413 nad1927blmzone14n=32064 nad1927blmzone15n=32065
  nad1927blmzone16n=32066 nad1927blmzone17n=32067 nad1927blmzone18n=4418 nad1927blmzone19n=4419 nad1927blmzone1n=4401
  nad1927blmzone2n=4402 nad1927blmzone3n=4403 nad1927blmzone4n=4404 nad1927blmzone59n=4399 nad1927blmzone5n=4405
  nad1927blmzone60n=4400 nad1927blmzone6n=4406 nad1927blmzone7n=4407 nad1927blmzone8n=4408 nad1927blmzone9n=4409
  nad1927californiatealealbers=3309 nad1927cgq77mtm10scopq=2016 nad1927cgq77mtm2scopq=2008 nad1927cgq77mtm3scopq=2009
  nad1927cgq77mtm4scopq=2010 nad1927cgq77mtm5scopq=2011 nad1927cgq77mtm6scopq=2012 nad1927cgq77mtm7scopq=2013
  nad1927cgq77mtm8scopq=2014 nad1927cgq77mtm9scopq=2015 nad1927cgq77quebeclambert=2138 nad1927cgq77utmzone17n=2031
  nad1927cgq77utmzone18n=2032 nad1927cgq77utmzone19n=2033 nad1927cgq77utmzone20n=2034 nad1927cgq77utmzone21n=2035
  nad1927contiguoususaalbers=5069 nad1927cubanorte=2085 nad1927cubasur=2086 nad1927def1976mtm10=2019
  nad1927def1976mtm11=2020 nad1927def1976mtm12=2021 nad1927def1976mtm13=2022 nad1927def1976mtm14=2023
  nad1927def1976mtm15=2024 nad1927def1976mtm16=2025 nad1927def1976mtm17=2026 nad1927def1976mtm8=2017
  nad1927def1976mtm9=2018 nad1927def1976utmzone15n=2027 nad1927def1976utmzone16n=2028 nad1927def1976utmzone17n=2029
  nad1927def1976utmzone18n=2030 nad1927georgiastatewidealbers=102118 nad1927guatemalanorte=32061
  nad1927guatemalasur=32062 nad1927michigangeoreffeetus=102120 nad1927michigangeorefmeters=102122 nad1927mtm1=32081
  nad1927mtm2=32082 nad1927mtm3=32083 nad1927mtm4=32084 nad1927mtm5=32085 nad1927mtm6=32086 nad1927mtqlambert=3797
  nad1927newbrunswickstereographic=5588 nad1927quebeclambert=32098 nad1927stateplanealabamaeastfips0101=26729
  nad1927stateplanealabamawestfips0102=26730 nad1927stateplanealaska10fips5010=26740
  nad1927stateplanealaska1fips5001=26731 nad1927stateplanealaska2fips5002=26732 nad1927stateplanealaska3fips5003=26733
  nad1927stateplanealaska4fips5004=26734 nad1927stateplanealaska5fips5005=26735 nad1927stateplanealaska6fips5006=26736
  nad1927stateplanealaska7fips5007=26737 nad1927stateplanealaska8fips5008=26738 nad1927stateplanealaska9fips5009=26739
  nad1927stateplanearizonacentralfips0202=26749 nad1927stateplanearizonaeastfips0201=26748
  nad1927stateplanearizonawestfips0203=26750 nad1927stateplanearkansasnorthfips0301=26751
  nad1927stateplanearkansassouthfips0302=26752 nad1927stateplanecaliforniaifips0401=26741
  nad1927stateplanecaliforniaiifips0402=26742 nad1927stateplanecaliforniaiiifips0403=26743
  nad1927stateplanecaliforniaivfips0404=26744 nad1927stateplanecaliforniavfips0405=26745
  nad1927stateplanecaliforniavifips0406=26746 nad1927stateplanecaliforniaviifips0407=26799
  nad1927stateplanecaliforniavventura=102699 nad1927stateplanecoloradocentralfips0502=26754
  nad1927stateplanecoloradonorthfips0501=26753 nad1927stateplanecoloradosouthfips0503=26755
  nad1927stateplaneconnecticutfips0600=26756 nad1927stateplanedelawarefips0700=26757
  nad1927stateplanefloridaeastfips0901=26758 nad1927stateplanefloridanorthfips0903=26760
  nad1927stateplanefloridawestfips0902=26759 nad1927stateplanegeorgiaeastfips1001=26766
  nad1927stateplanegeorgiawestfips1002=26767 nad1927stateplaneguamfips5400=65061
  nad1927stateplanehawaii1fips5101=26761 nad1927stateplanehawaii2fips5102=26762 nad1927stateplanehawaii3fips5103=26763
  nad1927stateplanehawaii4fips5104=26764 nad1927stateplanehawaii5fips5105=26765
  nad1927stateplaneidahocentralfips1102=26769 nad1927stateplaneidahoeastfips1101=26768
  nad1927stateplaneidahowestfips1103=26770 nad1927stateplaneillinoiseastfips1201=26771
  nad1927stateplaneillinoiswestfips1202=26772 nad1927stateplaneindianaeastfips1301=26773
  nad1927stateplaneindianawestfips1302=26774 nad1927stateplaneiowanorthfips1401=26775
  nad1927stateplaneiowasouthfips1402=26776 nad1927stateplanekansasnorthfips1501=26777
  nad1927stateplanekansassouthfips1502=26778 nad1927stateplanekentuckynorthfips1601=26779
  nad1927stateplanekentuckysouthfips1602=26780 nad1927stateplanelouisiananorthfips1701=26781
  nad1927stateplanelouisianaoffshorefips1703=32099 nad1927stateplanelouisianasouthfips1702=26782
  nad1927stateplanemaineeastfips1801=26783 nad1927stateplanemainewestfips1802=26784
  nad1927stateplanemarylandfips1900=26785 nad1927stateplanemassachusettsislandfips2002=26787
  nad1927stateplanemassachusettsmainlandfips2001=26786 nad1927stateplanemichigancentralfips2112=26789
  nad1927stateplanemichigancentraloldfips2102=5624 nad1927stateplanemichiganeastoldfips2101=5623
  nad1927stateplanemichigannorthfips2111=26788 nad1927stateplanemichigansouthfips2113=26790
  nad1927stateplanemichiganwestoldfips2103=5625 nad1927stateplaneminnesotacentralfips2202=26792
  nad1927stateplaneminnesotanorthfips2201=26791 nad1927stateplaneminnesotasouthfips2203=26793
  nad1927stateplanemississippieastfips2301=26794 nad1927stateplanemississippiwestfips2302=26795
  nad1927stateplanemissouricentralfips2402=26797 nad1927stateplanemissourieastfips2401=26796
  nad1927stateplanemissouriwestfips2403=26798 nad1927stateplanemontanacentralfips2502=32002
  nad1927stateplanemontananorthfips2501=32001 nad1927stateplanemontanasouthfips2503=32003
  nad1927stateplanenebraskanorthfips2601=32005 nad1927stateplanenebraskasouthfips2602=32006
  nad1927stateplanenevadacentralfips2702=32008 nad1927stateplanenevadaeastfips2701=32007
  nad1927stateplanenevadawestfips2703=32009 nad1927stateplanenewhampshirefips2800=32010
  nad1927stateplanenewjerseyfips2900=32011 nad1927stateplanenewmexicocentralfips3002=32013
  nad1927stateplanenewmexicoeastfips3001=32012 nad1927stateplanenewmexicowestfips3003=32014
  nad1927stateplanenewyorkcentralfips3102=32016 nad1927stateplanenewyorkeastfips3101=32015
  nad1927stateplanenewyorklongislandfips3104=4456 nad1927stateplanenewyorkwestfips3103=32017
  nad1927stateplanenorthcarolinafips3200=32019 nad1927stateplanenorthdakotanorthfips3301=32020
  nad1927stateplanenorthdakotasouthfips3302=32021 nad1927stateplaneohionorthfips3401=32022
  nad1927stateplaneohiosouthfips3402=32023 nad1927stateplaneoklahomanorthfips3501=32024
  nad1927stateplaneoklahomasouthfips3502=32025 nad1927stateplaneoregonnorthfips3601=32026
  nad1927stateplaneoregonsouthfips3602=32027 nad1927stateplanepennsylvanianorthfips3701=32028
  nad1927stateplanepennsylvaniasouthfips3702=4455 nad1927stateplanepuertoricofips5201=32059
  nad1927stateplanerhodeislandfips3800=32030 nad1927stateplanesouthcarolinanorthfips3901=32031
  nad1927stateplanesouthcarolinasouthfips3902=32033 nad1927stateplanesouthdakotanorthfips4001=32034
  nad1927stateplanesouthdakotasouthfips4002=32035 nad1927stateplanetennesseefips4100=2204
  nad1927stateplanetexascentralfips4203=32039 nad1927stateplanetexasnorthcentralfips4202=32038
  nad1927stateplanetexasnorthfips4201=32037 nad1927stateplanetexassouthcentralfips4204=32040
  nad1927stateplanetexassouthfips4205=32041 nad1927stateplaneutahcentralfips4302=32043
  nad1927stateplaneutahnorthfips4301=32042 nad1927stateplaneutahsouthfips4303=32044
  nad1927stateplanevermontfips4400=32045 nad1927stateplanevirginianorthfips4501=32046
  nad1927stateplanevirginiasouthfips4502=32047 nad1927stateplanevirginislandsstcroixfips5202=32060
  nad1927stateplanewashingtonnorthfips4601=32048 nad1927stateplanewashingtonsouthfips4602=32049
  nad1927stateplanewestvirginianorthfips4701=32050 nad1927stateplanewestvirginiasouthfips4702=32051
  nad1927stateplanewisconsincentralfips4802=32053 nad1927stateplanewisconsinnorthfips4801=32052
  nad1927stateplanewisconsinsouthfips4803=32054 nad1927stateplanewyomingeastcentralfips4902=32056
  nad1927stateplanewyomingeastfips4901=32055 nad1927stateplanewyomingwestcentralfips4903=32057
  nad1927stateplanewyomingwestfips4904=32058 nad1927texasstatewidemappingsystem=3080 nad1927utmzone10n=26710
  nad1927utmzone11n=26711 nad1927utmzone12n=26712 nad1927utmzone13n=26713 nad1927utmzone14n=26714
  nad1927utmzone15n=26715 nad1927utmzone16n=26716 nad1927utmzone17n=26717 nad1927utmzone18n=26718
  nad1927utmzone19n=26719 nad1927utmzone1n=26701 nad1927utmzone20n=26720 nad1927utmzone21n=26721
  nad1927utmzone22n=26722 nad1927utmzone2n=26702 nad1927utmzone3n=26703 nad1927utmzone4n=26704 nad1927utmzone59n=3370
  nad1927utmzone5n=26705 nad1927utmzone60n=3371 nad1927utmzone6n=26706 nad1927utmzone7n=26707 nad1927utmzone8n=26708
  nad1927utmzone9n=26709 nad1927wisconsintm=3069 nad198310tmaepforest=3400 nad198310tmaepresource=3401
  nad198320113d=6318 nad19832011alaskaalbers=6393 nad19832011californiatealealbers=6414
  nad19832011contiguoususaalbers=6350 nad19832011epsgarcticzone529=6351 nad19832011epsgarcticzone531=6352
  nad19832011epsgarcticzone614=6353 nad19832011epsgarcticzone616=6354 nad19832011fargogroundcoordinatesystem=102391
  nad19832011floridagdlalbers=6439 nad19832011iarcszone1=7057 nad19832011iarcszone10=7066 nad19832011iarcszone11=7067
  nad19832011iarcszone12=7068 nad19832011iarcszone13=7069 nad19832011iarcszone14=7070 nad19832011iarcszone2=7058
  nad19832011iarcszone3=7059 nad19832011iarcszone4=7060 nad19832011iarcszone5=7061 nad19832011iarcszone6=7062
  nad19832011iarcszone7=7063 nad19832011iarcszone8=7064 nad19832011iarcszone9=7065 nad19832011icsaurorausfeet=102901
  nad19832011icsbellevilleusfeet=102929 nad19832011icsbloomingtonusfeet=102914 nad19832011icscarbondaleusfeet=102932
  nad19832011icscarlinvilleusfeet=102925 nad19832011icschampaignusfeet=102916 nad19832011icscharlestonusfeet=102924
  nad19832011icschicagousfeet=102903 nad19832011icsdecaturusfeet=102917 nad19832011icseffinghamusfeet=102928
  nad19832011icseurekausfeet=102909 nad19832011icsfreeportusfeet=102902 nad19832011icsgalesburgusfeet=102915
  nad19832011icsjacksonvilleusfeet=102922 nad19832011icsjerseyvilleusfeet=102927 nad19832011icsjolietusfeet=102908
  nad19832011icslincolnusfeet=102919 nad19832011icsmacombusfeet=102920 nad19832011icsmetropolisusfeet=102933
  nad19832011icsmolineusfeet=102905 nad19832011icsmonmouthusfeet=102911 nad19832011icsmountvernonusfeet=102931
  nad19832011icsolneyusfeet=102930 nad19832011icsottawausfeet=102906 nad19832011icspeoriausfeet=102913
  nad19832011icspontiacusfeet=102910 nad19832011icsquincyusfeet=102918 nad19832011icsrobinsonusfeet=102926
  nad19832011icsrockfordusfeet=102904 nad19832011icsspringfieldusfeet=102921 nad19832011icssterlingusfeet=102907
  nad19832011icstaylorvilleusfeet=102923 nad19832011icswatsekausfeet=102912 nad19832011ingcsadamsftus=7258
  nad19832011ingcsadamsm=7257 nad19832011ingcsallenftus=7260 nad19832011ingcsallenm=7259
  nad19832011ingcsbartholomewftus=7262 nad19832011ingcsbartholomewm=7261 nad19832011ingcsbentonftus=7264
  nad19832011ingcsbentonm=7263 nad19832011ingcsblackforddelawareftus=7266 nad19832011ingcsblackforddelawarem=7265
  nad19832011ingcsboonehendricksftus=7268 nad19832011ingcsboonehendricksm=7267 nad19832011ingcsbrownftus=7270
  nad19832011ingcsbrownm=7269 nad19832011ingcscarrollftus=7272 nad19832011ingcscarrollm=7271
  nad19832011ingcscassftus=7274 nad19832011ingcscassm=7273 nad19832011ingcsclarkfloydscottftus=7276
  nad19832011ingcsclarkfloydscottm=7275 nad19832011ingcsclayftus=7278 nad19832011ingcsclaym=7277
  nad19832011ingcsclintonftus=7280 nad19832011ingcsclintonm=7279 nad19832011ingcscrawfordlawrenceorangeftus=7282
  nad19832011ingcscrawfordlawrenceorangem=7281 nad19832011ingcsdaviessgreeneftus=7284
  nad19832011ingcsdaviessgreenem=7283 nad19832011ingcsdearbornohioswitzerlandftus=7286
  nad19832011ingcsdearbornohioswitzerlandm=7285 nad19832011ingcsdecaturrushftus=7288 nad19832011ingcsdecaturrushm=7287
  nad19832011ingcsdekalbftus=7290 nad19832011ingcsdekalbm=7289 nad19832011ingcsduboismartinftus=7292
  nad19832011ingcsduboismartinm=7291 nad19832011ingcselkhartkosciuskowabashftus=7294
  nad19832011ingcselkhartkosciuskowabashm=7293 nad19832011ingcsfayettefranklinunionftus=7296
  nad19832011ingcsfayettefranklinunionm=7295 nad19832011ingcsfountainwarrenftus=7298
  nad19832011ingcsfountainwarrenm=7297 nad19832011ingcsfultonmarshallstjosephftus=7300
  nad19832011ingcsfultonmarshallstjosephm=7299 nad19832011ingcsgibsonftus=7302 nad19832011ingcsgibsonm=7301
  nad19832011ingcsgrantftus=7304 nad19832011ingcsgrantm=7303 nad19832011ingcshamiltontiptonftus=7306
  nad19832011ingcshamiltontiptonm=7305 nad19832011ingcshancockmadisonftus=7308 nad19832011ingcshancockmadisonm=7307
  nad19832011ingcsharrisonwashingtonftus=7310 nad19832011ingcsharrisonwashingtonm=7309 nad19832011ingcshenryftus=7312
  nad19832011ingcshenrym=7311 nad19832011ingcshowardmiamiftus=7314 nad19832011ingcshowardmiamim=7313
  nad19832011ingcshuntingtonwhitleyftus=7316 nad19832011ingcshuntingtonwhitleym=7315 nad19832011ingcsjacksonftus=7318
  nad19832011ingcsjacksonm=7317 nad19832011ingcsjasperporterftus=7320 nad19832011ingcsjasperporterm=7319
  nad19832011ingcsjayftus=7322 nad19832011ingcsjaym=7321 nad19832011ingcsjeffersonftus=7324
  nad19832011ingcsjeffersonm=7323 nad19832011ingcsjenningsftus=7326 nad19832011ingcsjenningsm=7325
  nad19832011ingcsjohnsonmarionftus=7328 nad19832011ingcsjohnsonmarionm=7327 nad19832011ingcsknoxftus=7330
  nad19832011ingcsknoxm=7329 nad19832011ingcslagrangenobleftus=7332 nad19832011ingcslagrangenoblem=7331
  nad19832011ingcslakenewtonftus=7334 nad19832011ingcslakenewtonm=7333 nad19832011ingcslaportepulaskistarkeftus=7336
  nad19832011ingcslaportepulaskistarkem=7335 nad19832011ingcsmonroemorganftus=7338 nad19832011ingcsmonroemorganm=7337
  nad19832011ingcsmontgomeryputnamftus=7340 nad19832011ingcsmontgomeryputnamm=7339 nad19832011ingcsowenftus=7342
  nad19832011ingcsowenm=7341 nad19832011ingcsparkevermillionftus=7344 nad19832011ingcsparkevermillionm=7343
  nad19832011ingcsperryftus=7346 nad19832011ingcsperrym=7345 nad19832011ingcspikewarrickftus=7348
  nad19832011ingcspikewarrickm=7347 nad19832011ingcsposeyftus=7350 nad19832011ingcsposeym=7349
  nad19832011ingcsrandolphwayneftus=7352 nad19832011ingcsrandolphwaynem=7351 nad19832011ingcsripleyftus=7354
  nad19832011ingcsripleym=7353 nad19832011ingcsshelbyftus=7356 nad19832011ingcsshelbym=7355
  nad19832011ingcsspencerftus=7358 nad19832011ingcsspencerm=7357 nad19832011ingcssteubenftus=7360
  nad19832011ingcssteubenm=7359 nad19832011ingcssullivanftus=7362 nad19832011ingcssullivanm=7361
  nad19832011ingcstippecanoewhiteftus=7364 nad19832011ingcstippecanoewhitem=7363 nad19832011ingcsvanderburghftus=7366
  nad19832011ingcsvanderburghm=7365 nad19832011ingcsvigoftus=7368 nad19832011ingcsvigom=7367
  nad19832011ingcswellsftus=7370 nad19832011ingcswellsm=7369 nad19832011kansaslcc=6924 nad19832011kansaslccftus=6925
  nad19832011ksrcszone1=8518 nad19832011ksrcszone10=8527 nad19832011ksrcszone11=8528 nad19832011ksrcszone12=8529
  nad19832011ksrcszone13=8531 nad19832011ksrcszone14=8533 nad19832011ksrcszone15=8534 nad19832011ksrcszone16=8535
  nad19832011ksrcszone17=8536 nad19832011ksrcszone18=8538 nad19832011ksrcszone19=8539 nad19832011ksrcszone2=8519
  nad19832011ksrcszone20=8540 nad19832011ksrcszone3=8520 nad19832011ksrcszone4=8521 nad19832011ksrcszone5=8522
  nad19832011ksrcszone6=8523 nad19832011ksrcszone7=8524 nad19832011ksrcszone8=8525 nad19832011ksrcszone9=8526
  nad19832011maine2000centralzone=6480 nad19832011maine2000eastzone=6481 nad19832011maine2000westzone=6482
  nad19832011michigangeorefmeters=6497 nad19832011mississippitm=6508
  nad19832011navajonationcoordinatesystemintlfeet=103594 nad19832011navajonationcoordinatesystemmeters=103592
  nad19832011navajonationcoordinatesystemusfeet=103593 nad19832011ncrslasvegasftus=8384
  nad19832011ncrslasvegashighftus=8387 nad19832011ncrslasvegashighm=8385 nad19832011ncrslasvegasm=8383
  nad19832011oregonstatewidelambert=6556 nad19832011oregonstatewidelambertftintl=6557 nad19832011pccszone1ft=8065
  nad19832011pccszone2ft=8066 nad19832011pccszone3ft=8067 nad19832011pccszone4ft=8068
  nad19832011rmtcrsbillingsftintl=7127 nad19832011rmtcrsbillingsmeters=7117 nad19832011rmtcrsblackfeetftintl=7120
  nad19832011rmtcrsblackfeetmeters=7110 nad19832011rmtcrsbobcatftintl=7126 nad19832011rmtcrsbobcatmeters=7116
  nad19832011rmtcrscrowftintl=7125 nad19832011rmtcrscrowmeters=7115 nad19832011rmtcrsfortbelknapftintl=7122
  nad19832011rmtcrsfortbelknapmeters=7112 nad19832011rmtcrsfortpeckassiniboineftintl=7123
  nad19832011rmtcrsfortpeckassiniboinemeters=7113 nad19832011rmtcrsfortpecksiouxftintl=7124
  nad19832011rmtcrsfortpecksiouxmeters=7114 nad19832011rmtcrsmilkriverftintl=7121
  nad19832011rmtcrsmilkrivermeters=7111 nad19832011rmtcrsstmaryftintl=7119 nad19832011rmtcrsstmarymeters=7109
  nad19832011rmtcrswindriverftus=7128 nad19832011rmtcrswindrivermeters=7118 nad19832011sanfranciscocs13ftus=7132
  nad19832011sanfranciscocs13meters=7131 nad19832011stateplanealabamaeastfips0101=6355
  nad19832011stateplanealabamaeastftus=9748 nad19832011stateplanealabamawestfips0102=6356
  nad19832011stateplanealabamawestftus=9749 nad19832011stateplanealaska10fips5010=6403
  nad19832011stateplanealaska10fips5010feet=102398 nad19832011stateplanealaska1fips5001=6394
  nad19832011stateplanealaska1fips5001feet=102445 nad19832011stateplanealaska2fips5002=6395
  nad19832011stateplanealaska2fips5002feet=102446 nad19832011stateplanealaska3fips5003=6396
  nad19832011stateplanealaska3fips5003feet=102447 nad19832011stateplanealaska4fips5004=6397
  nad19832011stateplanealaska4fips5004feet=102392 nad19832011stateplanealaska5fips5005=6398
  nad19832011stateplanealaska5fips5005feet=102393 nad19832011stateplanealaska6fips5006=6399
  nad19832011stateplanealaska6fips5006feet=102394 nad19832011stateplanealaska7fips5007=6400
  nad19832011stateplanealaska7fips5007feet=102395 nad19832011stateplanealaska8fips5008=6401
  nad19832011stateplanealaska8fips5008feet=102396 nad19832011stateplanealaska9fips5009=6402
  nad19832011stateplanealaska9fips5009feet=102397 nad19832011stateplanearizonacentralfips0202=6404
  nad19832011stateplanearizonacentralfips0202ftintl=6405 nad19832011stateplanearizonaeastfips0201=6406
  nad19832011stateplanearizonaeastfips0201ftintl=6407 nad19832011stateplanearizonawestfips0203=6408
  nad19832011stateplanearizonawestfips0203ftintl=6409 nad19832011stateplanearkansasnorthfips0301=6410
  nad19832011stateplanearkansasnorthfips0301ftus=6411 nad19832011stateplanearkansassouthfips0302=6412
  nad19832011stateplanearkansassouthfips0302ftus=6413 nad19832011stateplanecaliforniaifips0401=6415
  nad19832011stateplanecaliforniaifips0401ftus=6416 nad19832011stateplanecaliforniaiifips0402=6417
  nad19832011stateplanecaliforniaiifips0402ftus=6418 nad19832011stateplanecaliforniaiiifips0403=6419
  nad19832011stateplanecaliforniaiiifips0403ftus=6420 nad19832011stateplanecaliforniaivfips0404=6421
  nad19832011stateplanecaliforniaivfips0404ftus=6422 nad19832011stateplanecaliforniavfips0405=6423
  nad19832011stateplanecaliforniavfips0405ftus=6424 nad19832011stateplanecaliforniavifips0406=6425
  nad19832011stateplanecaliforniavifips0406ftus=6426 nad19832011stateplanecoloradocentralfips0502=6427
  nad19832011stateplanecoloradocentralfips0502ftus=6428 nad19832011stateplanecoloradonorthfips0501=6429
  nad19832011stateplanecoloradonorthfips0501ftus=6430 nad19832011stateplanecoloradosouthfips0503=6431
  nad19832011stateplanecoloradosouthfips0503ftus=6432 nad19832011stateplaneconnecticutfips0600=6433
  nad19832011stateplaneconnecticutfips0600ftus=6434 nad19832011stateplanedelawarefips0700=6435
  nad19832011stateplanedelawarefips0700ftus=6436 nad19832011stateplanefloridaeastfips0901=6437
  nad19832011stateplanefloridaeastfips0901ftus=6438 nad19832011stateplanefloridanorthfips0903=6440
  nad19832011stateplanefloridanorthfips0903ftus=6441 nad19832011stateplanefloridawestfips0902=6442
  nad19832011stateplanefloridawestfips0902ftus=6443 nad19832011stateplanegeorgiaeastfips1001=6444
  nad19832011stateplanegeorgiaeastfips1001ftus=6445 nad19832011stateplanegeorgiawestfips1002=6446
  nad19832011stateplanegeorgiawestfips1002ftus=6447 nad19832011stateplaneidahocentralfips1102=6448
  nad19832011stateplaneidahocentralfips1102ftus=6449 nad19832011stateplaneidahoeastfips1101=6450
  nad19832011stateplaneidahoeastfips1101ftus=6451 nad19832011stateplaneidahowestfips1103=6452
  nad19832011stateplaneidahowestfips1103ftus=6453 nad19832011stateplaneillinoiseastfips1201=6454
  nad19832011stateplaneillinoiseastfips1201ftus=6455 nad19832011stateplaneillinoiswestfips1202=6456
  nad19832011stateplaneillinoiswestfips1202ftus=6457 nad19832011stateplaneindianaeastfips1301=6458
  nad19832011stateplaneindianaeastfips1301ftus=6459 nad19832011stateplaneindianawestfips1302=6460
  nad19832011stateplaneindianawestfips1302ftus=6461 nad19832011stateplaneiowanorthfips1401=6462
  nad19832011stateplaneiowanorthfips1401ftus=6463 nad19832011stateplaneiowasouthfips1402=6464
  nad19832011stateplaneiowasouthfips1402ftus=6465 nad19832011stateplanekansasnorthfips1501=6466
  nad19832011stateplanekansasnorthfips1501ftus=6467 nad19832011stateplanekansassouthfips1502=6468
  nad19832011stateplanekansassouthfips1502ftus=6469 nad19832011stateplanekentuckyfips1600=6472
  nad19832011stateplanekentuckyfips1600ftus=6473 nad19832011stateplanekentuckynorthfips1601=6470
  nad19832011stateplanekentuckynorthfips1601ftus=6471 nad19832011stateplanekentuckysouthfips1602=6474
  nad19832011stateplanekentuckysouthfips1602ftus=6475 nad19832011stateplanelouisiananorthfips1701=6476
  nad19832011stateplanelouisiananorthfips1701ftus=6477 nad19832011stateplanelouisianasouthfips1702=6478
  nad19832011stateplanelouisianasouthfips1702ftus=6479 nad19832011stateplanemaineeastfips1801=6483
  nad19832011stateplanemaineeastfips1801ftus=6484 nad19832011stateplanemainewestfips1802=6485
  nad19832011stateplanemainewestfips1802ftus=6486 nad19832011stateplanemarylandfips1900=6487
  nad19832011stateplanemarylandfips1900ftus=6488 nad19832011stateplanemassachusettsislandfips2002=6489
  nad19832011stateplanemassachusettsislfips2002ftus=6490 nad19832011stateplanemassachusettsmainlandfips2001=6491
  nad19832011stateplanemassachusettsmnldfips2001ftus=6492 nad19832011stateplanemichigancentralfips2112=6493
  nad19832011stateplanemichigancentralfips2112ftintl=6494 nad19832011stateplanemichigannorthfips2111=6495
  nad19832011stateplanemichigannorthfips2111ftintl=6496 nad19832011stateplanemichigansouthfips2113=6498
  nad19832011stateplanemichigansouthfips2113ftintl=6499 nad19832011stateplaneminnesotacentralfips2202=6500
  nad19832011stateplaneminnesotacentralfips2202ftus=6501 nad19832011stateplaneminnesotanorthfips2201=6502
  nad19832011stateplaneminnesotanorthfips2201ftus=6503 nad19832011stateplaneminnesotasouthfips2203=6504
  nad19832011stateplaneminnesotasouthfips2203ftus=6505 nad19832011stateplanemississippieastfips2301=6506
  nad19832011stateplanemississippieastfips2301ftus=6507 nad19832011stateplanemississippiwestfips2302=6509
  nad19832011stateplanemississippiwestfips2302ftus=6510 nad19832011stateplanemissouricentralfips2402=6511
  nad19832011stateplanemissourieastfips2401=6512 nad19832011stateplanemissouriwestfips2403=6513
  nad19832011stateplanemontanafips2500=6514 nad19832011stateplanemontanafips2500ftintl=6515
  nad19832011stateplanenebraskafips2600=6516 nad19832011stateplanenebraskafips2600ftus=6880
  nad19832011stateplanenevadacentralfips2702=6518 nad19832011stateplanenevadacentralfips2702ftus=6519
  nad19832011stateplanenevadaeastfips2701=6520 nad19832011stateplanenevadaeastfips2701ftus=6521
  nad19832011stateplanenevadawestfips2703=6522 nad19832011stateplanenevadawestfips2703ftus=6523
  nad19832011stateplanenewhampshirefips2800=6524 nad19832011stateplanenewhampshirefips2800ftus=6525
  nad19832011stateplanenewjerseyfips2900=6526 nad19832011stateplanenewjerseyfips2900ftus=6527
  nad19832011stateplanenewmexicocentralfips3002=6528 nad19832011stateplanenewmexicocentralfips3002ftus=6529
  nad19832011stateplanenewmexicoeastfips3001=6530 nad19832011stateplanenewmexicoeastfips3001ftus=6531
  nad19832011stateplanenewmexicowestfips3003=6532 nad19832011stateplanenewmexicowestfips3003ftus=6533
  nad19832011stateplanenewyorkcentralfips3102=6534 nad19832011stateplanenewyorkcentralfips3102ftus=6535
  nad19832011stateplanenewyorkeastfips3101=6536 nad19832011stateplanenewyorkeastfips3101ftus=6537
  nad19832011stateplanenewyorklongislandfips3104=6538 nad19832011stateplanenewyorklongislfips3104ftus=6539
  nad19832011stateplanenewyorkwestfips3103=6540 nad19832011stateplanenewyorkwestfips3103ftus=6541
  nad19832011stateplanenorthcarolinafips3200=6542 nad19832011stateplanenorthcarolinafips3200ftus=6543
  nad19832011stateplanenorthdakotanorthfips3301=6544 nad19832011stateplanenorthdakotanorthfips3301fti=6545
  nad19832011stateplanenorthdakotasouthfips3302=6546 nad19832011stateplanenorthdakotasouthfips3302fti=6547
  nad19832011stateplaneohionorthfips3401=6548 nad19832011stateplaneohionorthfips3401ftus=6549
  nad19832011stateplaneohiosouthfips3402=6550 nad19832011stateplaneohiosouthfips3402ftus=6551
  nad19832011stateplaneoklahomanorthfips3501=6552 nad19832011stateplaneoklahomanorthfips3501ftus=6553
  nad19832011stateplaneoklahomasouthfips3502=6554 nad19832011stateplaneoklahomasouthfips3502ftus=6555
  nad19832011stateplaneoregonnorthfips3601=6558 nad19832011stateplaneoregonnorthfips3601ftintl=6559
  nad19832011stateplaneoregonsouthfips3602=6560 nad19832011stateplaneoregonsouthfips3602ftintl=6561
  nad19832011stateplanepennsylvanianorthfips3701=6562 nad19832011stateplanepennsylvanianorthfips3701ftus=6563
  nad19832011stateplanepennsylvaniasouthfips3702=6564 nad19832011stateplanepennsylvaniasouthfips3702ftus=6565
  nad19832011stateplanepuertoricovirginislsfips5200=6566 nad19832011stateplanerhodeislandfips3800=6567
  nad19832011stateplanerhodeislandfips3800ftus=6568 nad19832011stateplanesouthcarolinafips3900=6569
  nad19832011stateplanesouthcarolinafips3900ftintl=6570 nad19832011stateplanesouthdakotanorthfips4001=6571
  nad19832011stateplanesouthdakotanorthfips4001ftus=6572 nad19832011stateplanesouthdakotasouthfips4002=6573
  nad19832011stateplanesouthdakotasouthfips4002ftus=6574 nad19832011stateplanetennesseefips4100=6575
  nad19832011stateplanetennesseefips4100ftus=6576 nad19832011stateplanetexascentralfips4203=6577
  nad19832011stateplanetexascentralfips4203ftus=6578 nad19832011stateplanetexasnorthcentralfips4202=6583
  nad19832011stateplanetexasnorthcentralfips4202ftus=6584 nad19832011stateplanetexasnorthfips4201=6581
  nad19832011stateplanetexasnorthfips4201ftus=6582 nad19832011stateplanetexassouthcentralfips4204=6587
  nad19832011stateplanetexassouthcentralfips4204ftus=6588 nad19832011stateplanetexassouthfips4205=6585
  nad19832011stateplanetexassouthfips4205ftus=6586 nad19832011stateplaneutahcentralfips4302=6619
  nad19832011stateplaneutahcentralfips4302ftintl=103167 nad19832011stateplaneutahcentralfips4302ftus=6625
  nad19832011stateplaneutahnorthfips4301=6620 nad19832011stateplaneutahnorthfips4301ftintl=103166
  nad19832011stateplaneutahnorthfips4301ftus=6626 nad19832011stateplaneutahsouthfips4303=6621
  nad19832011stateplaneutahsouthfips4303ftintl=103168 nad19832011stateplaneutahsouthfips4303ftus=6627
  nad19832011stateplanevermontfips4400=6589 nad19832011stateplanevermontfips4400ftus=6590
  nad19832011stateplanevirginianorthfips4501=6592 nad19832011stateplanevirginianorthfips4501ftus=6593
  nad19832011stateplanevirginiasouthfips4502=6594 nad19832011stateplanevirginiasouthfips4502ftus=6595
  nad19832011stateplanewashingtonnorthfips4601=6596 nad19832011stateplanewashingtonnorthfips4601ftus=6597
  nad19832011stateplanewashingtonsouthfips4602=6598 nad19832011stateplanewashingtonsouthfips4602ftus=6599
  nad19832011stateplanewestvirginianorthfips4701=6600 nad19832011stateplanewestvirginianorthfips4701ftus=6601
  nad19832011stateplanewestvirginiasouthfips4702=6602 nad19832011stateplanewestvirginiasouthfips4702ftus=6603
  nad19832011stateplanewisconsincentralfips4802=6879 nad19832011stateplanewisconsincentralfips4802ftus=6605
  nad19832011stateplanewisconsinnorthfips4801=6606 nad19832011stateplanewisconsinnorthfips4801ftus=6607
  nad19832011stateplanewisconsinsouthfips4803=6608 nad19832011stateplanewisconsinsouthfips4803ftus=6609
  nad19832011stateplanewyomingeastcentralfips4902=6613 nad19832011stateplanewyomingeastfips4901=6611
  nad19832011stateplanewyomingeastfips4901ftus=6612 nad19832011stateplanewyomingecentralfips4902ftus=6614
  nad19832011stateplanewyomingwcentralfips4903ftus=6618 nad19832011stateplanewyomingwestcentralfips4903=6617
  nad19832011stateplanewyomingwestfips4904=6615 nad19832011stateplanewyomingwestfips4904ftus=6616
  nad19832011texascentricmappingsystemalbers=6579 nad19832011texascentricmappingsystemlambert=6580
  nad19832011utmzone10n=6339 nad19832011utmzone11n=6340 nad19832011utmzone12n=6341 nad19832011utmzone13n=6342
  nad19832011utmzone14n=6343 nad19832011utmzone15n=6344 nad19832011utmzone16n=6345 nad19832011utmzone17n=6346
  nad19832011utmzone18n=6347 nad19832011utmzone19n=6348 nad19832011utmzone1n=6330 nad19832011utmzone20n=102045
  nad19832011utmzone2n=6331 nad19832011utmzone3n=6332 nad19832011utmzone4n=6333 nad19832011utmzone59n=6328
  nad19832011utmzone5n=6334 nad19832011utmzone60n=6329 nad19832011utmzone6n=6335 nad19832011utmzone7n=6336
  nad19832011utmzone8n=6337 nad19832011utmzone9n=6338 nad19832011virginialambert=6591 nad19832011wisconsintm=6610
  nad19832011wisconsintmusft=102974 nad19832011wiscrsadamsandjuneaufeet=7587
  nad19832011wiscrsadamsandjuneaumeters=7528 nad19832011wiscrsashlandfeet=7588 nad19832011wiscrsashlandmeters=7529
  nad19832011wiscrsbarronfeet=7589 nad19832011wiscrsbarronmeters=7530 nad19832011wiscrsbayfieldfeet=7590
  nad19832011wiscrsbayfieldmeters=7531 nad19832011wiscrsbrownfeet=7591 nad19832011wiscrsbrownmeters=7532
  nad19832011wiscrsbuffalofeet=7592 nad19832011wiscrsbuffalometers=7533 nad19832011wiscrsburnettfeet=7593
  nad19832011wiscrsburnettmeters=7534 nad19832011wiscrscalumetfonddulacoutagamiewinnebagofeet=7594
  nad19832011wiscrscalumetfonddulacoutagamiewinnebagometers=7535 nad19832011wiscrschippewafeet=7595
  nad19832011wiscrschippewameters=7536 nad19832011wiscrsclarkfeet=7596 nad19832011wiscrsclarkmeters=7537
  nad19832011wiscrscolumbiafeet=7597 nad19832011wiscrscolumbiameters=7538 nad19832011wiscrscrawfordfeet=7598
  nad19832011wiscrscrawfordmeters=7539 nad19832011wiscrsdanefeet=7599 nad19832011wiscrsdanemeters=7540
  nad19832011wiscrsdodgeandjeffersonfeet=7600 nad19832011wiscrsdodgeandjeffersonmeters=7541
  nad19832011wiscrsdoorfeet=7601 nad19832011wiscrsdoormeters=7542 nad19832011wiscrsdouglasfeet=7602
  nad19832011wiscrsdouglasmeters=7543 nad19832011wiscrsdunnfeet=7603 nad19832011wiscrsdunnmeters=7544
  nad19832011wiscrseauclairefeet=7604 nad19832011wiscrseauclairemeters=7545 nad19832011wiscrsflorencefeet=7605
  nad19832011wiscrsflorencemeters=7546 nad19832011wiscrsforestfeet=7606 nad19832011wiscrsforestmeters=7547
  nad19832011wiscrsgrantfeet=7607 nad19832011wiscrsgrantmeters=7548 nad19832011wiscrsgreenandlafayettefeet=7608
  nad19832011wiscrsgreenandlafayettemeters=7549 nad19832011wiscrsgreenlakeandmarquettefeet=7609
  nad19832011wiscrsgreenlakeandmarquettemeters=7550 nad19832011wiscrsiowafeet=7610 nad19832011wiscrsiowameters=7551
  nad19832011wiscrsironfeet=7611 nad19832011wiscrsironmeters=7552 nad19832011wiscrsjacksonfeet=7612
  nad19832011wiscrsjacksonmeters=7553 nad19832011wiscrskenoshamilwaukeeozaukeeracinefeet=7613
  nad19832011wiscrskenoshamilwaukeeozaukeeracinemeters=7554 nad19832011wiscrskewauneemanitowocsheboyganfeet=7614
  nad19832011wiscrskewauneemanitowocsheboyganmeters=7555 nad19832011wiscrslacrossefeet=7615
  nad19832011wiscrslacrossemeters=7556 nad19832011wiscrslangladefeet=7616 nad19832011wiscrslanglademeters=7557
  nad19832011wiscrslincolnfeet=7617 nad19832011wiscrslincolnmeters=7558 nad19832011wiscrsmarathonfeet=7618
  nad19832011wiscrsmarathonmeters=7559 nad19832011wiscrsmarinettefeet=7619 nad19832011wiscrsmarinettemeters=7560
  nad19832011wiscrsmenomineefeet=7620 nad19832011wiscrsmenomineemeters=7561 nad19832011wiscrsmonroefeet=7621
  nad19832011wiscrsmonroemeters=7562 nad19832011wiscrsocontofeet=7622 nad19832011wiscrsocontometers=7563
  nad19832011wiscrsoneidafeet=7623 nad19832011wiscrsoneidameters=7564 nad19832011wiscrspepinandpiercefeet=7624
  nad19832011wiscrspepinandpiercemeters=7565 nad19832011wiscrspolkfeet=7625 nad19832011wiscrspolkmeters=7566
  nad19832011wiscrsportagefeet=7626 nad19832011wiscrsportagemeters=7567 nad19832011wiscrspricefeet=7627
  nad19832011wiscrspricemeters=7568 nad19832011wiscrsrichlandfeet=7628 nad19832011wiscrsrichlandmeters=7569
  nad19832011wiscrsrockfeet=7629 nad19832011wiscrsrockmeters=7570 nad19832011wiscrsruskfeet=7630
  nad19832011wiscrsruskmeters=7571 nad19832011wiscrssaukfeet=7631 nad19832011wiscrssaukmeters=7572
  nad19832011wiscrssawyerfeet=7632 nad19832011wiscrssawyermeters=7573 nad19832011wiscrsshawanofeet=7633
  nad19832011wiscrsshawanometers=7574 nad19832011wiscrsstcroixfeet=7634 nad19832011wiscrsstcroixmeters=7575
  nad19832011wiscrstaylorfeet=7635 nad19832011wiscrstaylormeters=7576 nad19832011wiscrstrempealeaufeet=7636
  nad19832011wiscrstrempealeaumeters=7577 nad19832011wiscrsvernonfeet=7637 nad19832011wiscrsvernonmeters=7578
  nad19832011wiscrsvilasfeet=7638 nad19832011wiscrsvilasmeters=7579 nad19832011wiscrswalworthfeet=7639
  nad19832011wiscrswalworthmeters=7580 nad19832011wiscrswashburnfeet=7640 nad19832011wiscrswashburnmeters=7581
  nad19832011wiscrswashingtonfeet=7641 nad19832011wiscrswashingtonmeters=7582 nad19832011wiscrswaukeshafeet=7642
  nad19832011wiscrswaukeshameters=7583 nad19832011wiscrswaupacafeet=7643 nad19832011wiscrswaupacameters=7584
  nad19832011wiscrswausharafeet=7644 nad19832011wiscrswausharameters=7585 nad19832011wiscrswoodfeet=7645
  nad19832011wiscrswoodmeters=7586 nad19833tm111=3775 nad19833tm114=3776 nad19833tm117=3777 nad19833tm120=3801
  nad1983alaskaalbers=3338 nad1983albersblmmtndsd=102399 nad1983bcenvironmentalbers=3005 nad1983blmzone10n=4430
  nad1983blmzone11n=4431 nad1983blmzone12n=4432 nad1983blmzone13n=4433 nad1983blmzone14nftus=32164
  nad1983blmzone15nftus=32165 nad1983blmzone16nftus=32166 nad1983blmzone17nftus=32167 nad1983blmzone18n=4438
  nad1983blmzone19n=4439 nad1983blmzone1n=4421 nad1983blmzone2n=4422 nad1983blmzone3n=4423 nad1983blmzone4n=4424
  nad1983blmzone59n=4217 nad1983blmzone5n=4425 nad1983blmzone60n=4420 nad1983blmzone6n=4426 nad1983blmzone7n=4427
  nad1983blmzone8n=4428 nad1983blmzone9n=4429 nad1983californiatealealbers=3310
  nad1983californiatealealbersftintl=102760 nad1983californiatealealbersftus=102600 nad1983canadaatlaslambert=3978
  nad1983contiguoususaalbers=5070 nad1983cors963d=6783 nad1983cors96alaskaalbers=102247
  nad1983cors96maine2000centralzone=103373 nad1983cors96maine2000eastzone=103372 nad1983cors96maine2000westzone=103374
  nad1983cors96oregonstatewidelambert=6867 nad1983cors96oregonstatewidelambertftintl=6868
  nad1983cors96spcspuertoricoandvirginislands=6307 nad1983cors96stateplanealabamaeastfips0101=103220
  nad1983cors96stateplanealabamawestfips0102=103221 nad1983cors96stateplanealaska10fips5010=102375
  nad1983cors96stateplanealaska1fips5001=102366 nad1983cors96stateplanealaska2fips5002=102367
  nad1983cors96stateplanealaska3fips5003=102368 nad1983cors96stateplanealaska4fips5004=102369
  nad1983cors96stateplanealaska5fips5005=102370 nad1983cors96stateplanealaska6fips5006=102371
  nad1983cors96stateplanealaska7fips5007=102372 nad1983cors96stateplanealaska8fips5008=102373
  nad1983cors96stateplanealaska9fips5009=102374 nad1983cors96stateplanearizonacentralfips0202=103223
  nad1983cors96stateplanearizonacentralfips0202ftintl=103226 nad1983cors96stateplanearizonaeastfips0201=103222
  nad1983cors96stateplanearizonaeastfips0201ftintl=103225 nad1983cors96stateplanearizonawestfips0203=103224
  nad1983cors96stateplanearizonawestfips0203ftintl=103227 nad1983cors96stateplanearkansasnorthfips0301=103228
  nad1983cors96stateplanearkansasnorthfips0301ftus=103230 nad1983cors96stateplanearkansassouthfips0302=103229
  nad1983cors96stateplanearkansassouthfips0302ftus=103231 nad1983cors96stateplanecaliforniaifips0401=103232
  nad1983cors96stateplanecaliforniaifips0401ftus=103238 nad1983cors96stateplanecaliforniaiifips0402=103233
  nad1983cors96stateplanecaliforniaiifips0402ftus=103239 nad1983cors96stateplanecaliforniaiiifips0403=103234
  nad1983cors96stateplanecaliforniaiiifips0403ftus=103240 nad1983cors96stateplanecaliforniaivfips0404=103235
  nad1983cors96stateplanecaliforniaivfips0404ftus=103241 nad1983cors96stateplanecaliforniavfips0405=103236
  nad1983cors96stateplanecaliforniavfips0405ftus=103242 nad1983cors96stateplanecaliforniavifips0406=103237
  nad1983cors96stateplanecaliforniavifips0406ftus=103243 nad1983cors96stateplanecoloradocentralfips0502=103245
  nad1983cors96stateplanecoloradocentralfips0502ftus=103248 nad1983cors96stateplanecoloradonorthfips0501=103244
  nad1983cors96stateplanecoloradonorthfips0501ftus=103247 nad1983cors96stateplanecoloradosouthfips0503=103246
  nad1983cors96stateplanecoloradosouthfips0503ftus=103249 nad1983cors96stateplaneconnecticutfips0600=103250
  nad1983cors96stateplaneconnecticutfips0600ftus=103251 nad1983cors96stateplanedelawarefips0700=103252
  nad1983cors96stateplanedelawarefips0700ftus=103253 nad1983cors96stateplanefloridaeastfips0901=103254
  nad1983cors96stateplanefloridaeastfips0901ftus=103257 nad1983cors96stateplanefloridanorthfips0903=103256
  nad1983cors96stateplanefloridanorthfips0903ftus=103259 nad1983cors96stateplanefloridawestfips0902=103255
  nad1983cors96stateplanefloridawestfips0902ftus=103258 nad1983cors96stateplanegeorgiaeastfips1001=103260
  nad1983cors96stateplanegeorgiaeastfips1001ftus=103262 nad1983cors96stateplanegeorgiawestfips1002=103261
  nad1983cors96stateplanegeorgiawestfips1002ftus=103263 nad1983cors96stateplaneidahocentralfips1102=103265
  nad1983cors96stateplaneidahocentralfips1102ftus=103268 nad1983cors96stateplaneidahoeastfips1101=103264
  nad1983cors96stateplaneidahoeastfips1101ftus=103267 nad1983cors96stateplaneidahowestfips1103=103266
  nad1983cors96stateplaneidahowestfips1103ftus=103269 nad1983cors96stateplaneillinoiseastfips1201=103270
  nad1983cors96stateplaneillinoiseastfips1201ftus=103272 nad1983cors96stateplaneillinoiswestfips1202=103271
  nad1983cors96stateplaneillinoiswestfips1202ftus=103273 nad1983cors96stateplaneindianaeastfips1301=103274
  nad1983cors96stateplaneindianaeastfips1301ftus=103276 nad1983cors96stateplaneindianawestfips1302=103275
  nad1983cors96stateplaneindianawestfips1302ftus=103277 nad1983cors96stateplaneiowanorthfips1401=103278
  nad1983cors96stateplaneiowanorthfips1401ftus=103280 nad1983cors96stateplaneiowasouthfips1402=103279
  nad1983cors96stateplaneiowasouthfips1402ftus=103281 nad1983cors96stateplanekansasnorthfips1501=103282
  nad1983cors96stateplanekansasnorthfips1501ftus=103284 nad1983cors96stateplanekansassouthfips1502=103283
  nad1983cors96stateplanekansassouthfips1502ftus=103285 nad1983cors96stateplanekentuckyfips1600=103288
  nad1983cors96stateplanekentuckyfips1600ftus=103289 nad1983cors96stateplanekentuckynorthfips1601=103286
  nad1983cors96stateplanekentuckynorthfips1601ftus=103287 nad1983cors96stateplanekentuckysouthfips1602=103290
  nad1983cors96stateplanekentuckysouthfips1602ftus=103291 nad1983cors96stateplanelouisiananorthfips1701=103292
  nad1983cors96stateplanelouisiananorthfips1701ftus=103294 nad1983cors96stateplanelouisianasouthfips1702=103293
  nad1983cors96stateplanelouisianasouthfips1702ftus=103295 nad1983cors96stateplanemaineeastfips1801=103296
  nad1983cors96stateplanemaineeastfips1801ftus=103298 nad1983cors96stateplanemainewestfips1802=103297
  nad1983cors96stateplanemainewestfips1802ftus=103299 nad1983cors96stateplanemarylandfips1900=103375
  nad1983cors96stateplanemarylandfips1900ftus=103376 nad1983cors96stateplanemassachusettsislandfips2002=103378
  nad1983cors96stateplanemassachusettsislfips2002ftus=103380
  nad1983cors96stateplanemassachusettsmainlandfips2001=103377
  nad1983cors96stateplanemassachusettsmnldfips2001ftus=103379 nad1983cors96stateplanemichigancentralfips2112=103382
  nad1983cors96stateplanemichigancentralfips2112ftintl=103385 nad1983cors96stateplanemichigannorthfips2111=103381
  nad1983cors96stateplanemichigannorthfips2111ftintl=103384 nad1983cors96stateplanemichigansouthfips2113=103383
  nad1983cors96stateplanemichigansouthfips2113ftintl=103386 nad1983cors96stateplaneminnesotacentralfips2202=103388
  nad1983cors96stateplaneminnesotacentralfips2202ftus=103391 nad1983cors96stateplaneminnesotanorthfips2201=103387
  nad1983cors96stateplaneminnesotanorthfips2201ftus=103390 nad1983cors96stateplaneminnesotasouthfips2203=103389
  nad1983cors96stateplaneminnesotasouthfips2203ftus=103392 nad1983cors96stateplanemississippieastfips2301=103393
  nad1983cors96stateplanemississippieastfips2301ftus=103395 nad1983cors96stateplanemississippiwestfips2302=103394
  nad1983cors96stateplanemississippiwestfips2302ftus=103396 nad1983cors96stateplanemissouricentralfips2402=103398
  nad1983cors96stateplanemissourieastfips2401=103397 nad1983cors96stateplanemissouriwestfips2403=103399
  nad1983cors96stateplanemontanafips2500=103472 nad1983cors96stateplanemontanafips2500ftintl=103473
  nad1983cors96stateplanenebraskafips2600=103474 nad1983cors96stateplanenebraskafips2600ftus=103475
  nad1983cors96stateplanenevadacentralfips2702=103477 nad1983cors96stateplanenevadacentralfips2702ftus=103480
  nad1983cors96stateplanenevadaeastfips2701=103476 nad1983cors96stateplanenevadaeastfips2701ftus=103479
  nad1983cors96stateplanenevadawestfips2703=103478 nad1983cors96stateplanenevadawestfips2703ftus=103481
  nad1983cors96stateplanenewhampshirefips2800=103482 nad1983cors96stateplanenewhampshirefips2800ftus=103483
  nad1983cors96stateplanenewjerseyfips2900=103484 nad1983cors96stateplanenewjerseyfips2900ftus=103485
  nad1983cors96stateplanenewmexicocentralfips3002=103487 nad1983cors96stateplanenewmexicocentralfips3002ftus=103490
  nad1983cors96stateplanenewmexicoeastfips3001=103486 nad1983cors96stateplanenewmexicoeastfips3001ftus=103489
  nad1983cors96stateplanenewmexicowestfips3003=103488 nad1983cors96stateplanenewmexicowestfips3003ftus=103491
  nad1983cors96stateplanenewyorkcentralfips3102=103493 nad1983cors96stateplanenewyorkcentralfips3102ftus=103497
  nad1983cors96stateplanenewyorkeastfips3101=103492 nad1983cors96stateplanenewyorkeastfips3101ftus=103496
  nad1983cors96stateplanenewyorklongislandfips3104=103495 nad1983cors96stateplanenewyorklongislfips3104ftus=103499
  nad1983cors96stateplanenewyorkwestfips3103=103494 nad1983cors96stateplanenewyorkwestfips3103ftus=103498
  nad1983cors96stateplanenorthcarolinafips3200=103500 nad1983cors96stateplanenorthcarolinafips3200ftus=103501
  nad1983cors96stateplanenorthdakotanorthfips3301=103502 nad1983cors96stateplanenorthdakotanorthfips3301fti=103504
  nad1983cors96stateplanenorthdakotasouthfips3302=103503 nad1983cors96stateplanenorthdakotasouthfips3302fti=103505
  nad1983cors96stateplaneohionorthfips3401=103506 nad1983cors96stateplaneohionorthfips3401ftus=103508
  nad1983cors96stateplaneohiosouthfips3402=103507 nad1983cors96stateplaneohiosouthfips3402ftus=103509
  nad1983cors96stateplaneoklahomanorthfips3501=103510 nad1983cors96stateplaneoklahomanorthfips3501ftus=103512
  nad1983cors96stateplaneoklahomasouthfips3502=103511 nad1983cors96stateplaneoklahomasouthfips3502ftus=103513
  nad1983cors96stateplaneoregonnorthfips3601=6884 nad1983cors96stateplaneoregonnorthfips3601ftintl=6885
  nad1983cors96stateplaneoregonsouthfips3602=6886 nad1983cors96stateplaneoregonsouthfips3602ftintl=6887
  nad1983cors96stateplanepennsylvanianorthfips3701=103514 nad1983cors96stateplanepennsylvanianorthfips3701ftus=103515
  nad1983cors96stateplanepennsylvaniasouthfips3702=103516 nad1983cors96stateplanepennsylvaniasouthfips3702ftus=103517
  nad1983cors96stateplanerhodeislandfips3800=103518 nad1983cors96stateplanerhodeislandfips3800ftus=103519
  nad1983cors96stateplanesouthcarolinafips3900=103520 nad1983cors96stateplanesouthcarolinafips3900ftintl=103521
  nad1983cors96stateplanesouthdakotanorthfips4001=103522 nad1983cors96stateplanesouthdakotanorthfips4001ftus=103524
  nad1983cors96stateplanesouthdakotasouthfips4002=103523 nad1983cors96stateplanesouthdakotasouthfips4002ftus=103525
  nad1983cors96stateplanetennesseefips4100=103526 nad1983cors96stateplanetennesseefips4100ftus=103527
  nad1983cors96stateplanetexascentralfips4203=103541 nad1983cors96stateplanetexascentralfips4203ftus=103546
  nad1983cors96stateplanetexasnorthcentralfips4202=103540 nad1983cors96stateplanetexasnorthcentralfips4202ftus=103545
  nad1983cors96stateplanetexasnorthfips4201=103539 nad1983cors96stateplanetexasnorthfips4201ftus=103544
  nad1983cors96stateplanetexassouthcentralfips4204=103542 nad1983cors96stateplanetexassouthcentralfips4204ftus=103547
  nad1983cors96stateplanetexassouthfips4205=103543 nad1983cors96stateplanetexassouthfips4205ftus=103548
  nad1983cors96stateplaneutahcentralfips4302=103550 nad1983cors96stateplaneutahcentralfips4302ftintl=103553
  nad1983cors96stateplaneutahcentralfips4302ftus=103556 nad1983cors96stateplaneutahnorthfips4301=103549
  nad1983cors96stateplaneutahnorthfips4301ftintl=103552 nad1983cors96stateplaneutahnorthfips4301ftus=103555
  nad1983cors96stateplaneutahsouthfips4303=103551 nad1983cors96stateplaneutahsouthfips4303ftintl=103554
  nad1983cors96stateplaneutahsouthfips4303ftus=103557 nad1983cors96stateplanevermontfips4400=103558
  nad1983cors96stateplanevirginianorthfips4501=103559 nad1983cors96stateplanevirginianorthfips4501ftus=103561
  nad1983cors96stateplanevirginiasouthfips4502=103560 nad1983cors96stateplanevirginiasouthfips4502ftus=103562
  nad1983cors96stateplanewashingtonnorthfips4601=103563 nad1983cors96stateplanewashingtonnorthfips4601ftus=103565
  nad1983cors96stateplanewashingtonsouthfips4602=103564 nad1983cors96stateplanewashingtonsouthfips4602ftus=103566
  nad1983cors96stateplanewestvirginianorthfips4701=103567 nad1983cors96stateplanewestvirginianorthfips4701ftus=103569
  nad1983cors96stateplanewestvirginiasouthfips4702=103568 nad1983cors96stateplanewestvirginiasouthfips4702ftus=103570
  nad1983cors96stateplanewisconsincentralfips4802=103572 nad1983cors96stateplanewisconsincentralfips4802ftus=103575
  nad1983cors96stateplanewisconsinnorthfips4801=103571 nad1983cors96stateplanewisconsinnorthfips4801ftus=103574
  nad1983cors96stateplanewisconsinsouthfips4803=103573 nad1983cors96stateplanewisconsinsouthfips4803ftus=103576
  nad1983cors96stateplanewyomingeastcentralfips4902=103578 nad1983cors96stateplanewyomingeastfips4901=103577
  nad1983cors96stateplanewyomingeastfips4901ftus=103581 nad1983cors96stateplanewyomingecentralfips4902ftus=103582
  nad1983cors96stateplanewyomingwcentralfips4903ftus=103583 nad1983cors96stateplanewyomingwestcentralfips4903=103579
  nad1983cors96stateplanewyomingwestfips4904=103580 nad1983cors96stateplanewyomingwestfips4904ftus=103585
  nad1983cors96utmzone10n=102410 nad1983cors96utmzone11n=102411 nad1983cors96utmzone12n=102412
  nad1983cors96utmzone13n=102413 nad1983cors96utmzone14n=102414 nad1983cors96utmzone15n=102415
  nad1983cors96utmzone16n=102416 nad1983cors96utmzone17n=102417 nad1983cors96utmzone18n=102418
  nad1983cors96utmzone19n=102419 nad1983cors96utmzone1n=102401 nad1983cors96utmzone20n=102043
  nad1983cors96utmzone2n=102402 nad1983cors96utmzone3n=102403 nad1983cors96utmzone4n=102404
  nad1983cors96utmzone59n=102364 nad1983cors96utmzone5n=102405 nad1983cors96utmzone60n=102365
  nad1983cors96utmzone6n=102406 nad1983cors96utmzone7n=102407 nad1983cors96utmzone8n=102408
  nad1983cors96utmzone9n=102409 nad1983csrs10tmaepforest=3402 nad1983csrs10tmaepresource=3403 nad1983csrs3tm111=3779
  nad1983csrs3tm114=3780 nad1983csrs3tm117=3781 nad1983csrs3tm120=3802 nad1983csrsbcenvironmentalbers=3153
  nad1983csrscanadaatlaslambert=3979 nad1983csrsepsgarcticzone123=6098 nad1983csrsepsgarcticzone214=6099
  nad1983csrsepsgarcticzone216=6100 nad1983csrsepsgarcticzone325=6101 nad1983csrsepsgarcticzone327=6102
  nad1983csrsepsgarcticzone329=6103 nad1983csrsepsgarcticzone414=6104 nad1983csrsepsgarcticzone416=6105
  nad1983csrsepsgarcticzone418=6106 nad1983csrsepsgarcticzone533=6107 nad1983csrsepsgarcticzone535=6108
  nad1983csrsepsgarcticzone537=6109 nad1983csrsepsgarcticzone539=6110 nad1983csrsepsgarcticzone618=6111
  nad1983csrsepsgarcticzone620=6112 nad1983csrsepsgarcticzone622=6113 nad1983csrsepsgarcticzone624=6114
  nad1983csrsmtm1=26898 nad1983csrsmtm10=2952 nad1983csrsmtm11=26891 nad1983csrsmtm12=26892 nad1983csrsmtm13=26893
  nad1983csrsmtm14=26894 nad1983csrsmtm15=26895 nad1983csrsmtm16=26896 nad1983csrsmtm17=26897 nad1983csrsmtm2=26899
  nad1983csrsmtm2scopq=2139 nad1983csrsmtm3=2945 nad1983csrsmtm4=2946 nad1983csrsmtm5=2947 nad1983csrsmtm6=2948
  nad1983csrsmtm7=2949 nad1983csrsmtm8=2950 nad1983csrsmtm9=2951 nad1983csrsmtqlambert=3799
  nad1983csrsnewbrunswickstereographic=2953 nad1983csrsnorthwestterritorieslambert=3581
  nad1983csrsontariomnrlambert=3162 nad1983csrsprinceedwardisland=2954 nad1983csrsquebecalbers=6624
  nad1983csrsquebeclambert=6622 nad1983csrsstatisticscanadalambert=3348 nad1983csrsteranetontariolambert=5321
  nad1983csrsutmzone10n=3157 nad1983csrsutmzone11n=2955 nad1983csrsutmzone12n=2956 nad1983csrsutmzone13n=2957
  nad1983csrsutmzone14n=3158 nad1983csrsutmzone15n=3159 nad1983csrsutmzone16n=3160 nad1983csrsutmzone17n=2958
  nad1983csrsutmzone18n=2959 nad1983csrsutmzone19n=2960 nad1983csrsutmzone20n=2961 nad1983csrsutmzone21n=2962
  nad1983csrsutmzone22n=3761 nad1983csrsutmzone23n=9709 nad1983csrsutmzone24n=9713 nad1983csrsutmzone7n=3154
  nad1983csrsutmzone8n=3155 nad1983csrsutmzone9n=3156 nad1983csrsv6mtmnovascotiazone4=8082
  nad1983csrsv6mtmnovascotiazone5=8083 nad1983csrsv6utmzone15n=103873 nad1983csrsv6utmzone16n=103874
  nad1983csrsv6utmzone17n=103875 nad1983csrsv6utmzone18n=103876 nad1983csrsv6utmzone19n=103696
  nad1983csrsv6utmzone20n=103697 nad1983csrsv6utmzone21n=103698 nad1983csrsyukonalbers=3579
  nad1983fargogroundcoordinatesystem=102389 nad1983fbn=8860 nad1983fbn3d=8860 nad1983floridagdlalbers=3086
  nad1983georgiastatewidelambert=102604 nad1983greatlakesandstlawrencealbers=3175 nad1983greatlakesbasinalbers=3174
  nad1983harnadjmnaitkinfeet=103700 nad1983harnadjmnaitkinmeters=103600 nad1983harnadjmnanokafeet=103708
  nad1983harnadjmnanokameters=103608 nad1983harnadjmnbeckerfeet=103709 nad1983harnadjmnbeckermeters=103609
  nad1983harnadjmnbeltraminorthfeet=103710 nad1983harnadjmnbeltraminorthmeters=103610
  nad1983harnadjmnbeltramisouthfeet=103711 nad1983harnadjmnbeltramisouthmeters=103611
  nad1983harnadjmnbentonfeet=103712 nad1983harnadjmnbentonmeters=103612 nad1983harnadjmnbigstonefeet=103713
  nad1983harnadjmnbigstonemeters=103613 nad1983harnadjmnblueearthfeet=103714 nad1983harnadjmnblueearthmeters=103614
  nad1983harnadjmnbrownfeet=103715 nad1983harnadjmnbrownmeters=103615 nad1983harnadjmncarltonfeet=103716
  nad1983harnadjmncarltonmeters=103616 nad1983harnadjmncarverfeet=103717 nad1983harnadjmncarvermeters=103617
  nad1983harnadjmncassnorthfeet=103718 nad1983harnadjmncassnorthmeters=103618 nad1983harnadjmncasssouthfeet=103719
  nad1983harnadjmncasssouthmeters=103619 nad1983harnadjmnchippewafeet=103720 nad1983harnadjmnchippewameters=103620
  nad1983harnadjmnchisagofeet=103721 nad1983harnadjmnchisagometers=103621 nad1983harnadjmnclayfeet=103701
  nad1983harnadjmnclaymeters=103601 nad1983harnadjmnclearwaterfeet=103702 nad1983harnadjmnclearwatermeters=103602
  nad1983harnadjmncooknorthfeet=103722 nad1983harnadjmncooknorthmeters=103622 nad1983harnadjmncooksouthfeet=103723
  nad1983harnadjmncooksouthmeters=103623 nad1983harnadjmncottonwoodfeet=103724 nad1983harnadjmncottonwoodmeters=103624
  nad1983harnadjmncrowwingfeet=103725 nad1983harnadjmncrowwingmeters=103625 nad1983harnadjmndakotafeet=103726
  nad1983harnadjmndakotameters=103626 nad1983harnadjmndodgefeet=103727 nad1983harnadjmndodgemeters=103627
  nad1983harnadjmndouglasfeet=103728 nad1983harnadjmndouglasmeters=103628 nad1983harnadjmnfaribaultfeet=103729
  nad1983harnadjmnfaribaultmeters=103629 nad1983harnadjmnfillmorefeet=103730 nad1983harnadjmnfillmoremeters=103630
  nad1983harnadjmnfreebornfeet=103731 nad1983harnadjmnfreebornmeters=103631 nad1983harnadjmngoodhuefeet=103732
  nad1983harnadjmngoodhuemeters=103632 nad1983harnadjmngrantfeet=103733 nad1983harnadjmngrantmeters=103633
  nad1983harnadjmnhennepinfeet=103734 nad1983harnadjmnhennepinmeters=103634 nad1983harnadjmnhoustonfeet=103735
  nad1983harnadjmnhoustonmeters=103635 nad1983harnadjmnhubbardfeet=103703 nad1983harnadjmnhubbardmeters=103603
  nad1983harnadjmnisantifeet=103736 nad1983harnadjmnisantimeters=103636 nad1983harnadjmnitascanorthfeet=103737
  nad1983harnadjmnitascanorthmeters=103637 nad1983harnadjmnitascasouthfeet=103738
  nad1983harnadjmnitascasouthmeters=103638 nad1983harnadjmnjacksonfeet=103739 nad1983harnadjmnjacksonmeters=103639
  nad1983harnadjmnkanabecfeet=103740 nad1983harnadjmnkanabecmeters=103640 nad1983harnadjmnkandiyohifeet=103741
  nad1983harnadjmnkandiyohimeters=103641 nad1983harnadjmnkittsonfeet=103742 nad1983harnadjmnkittsonmeters=103642
  nad1983harnadjmnkoochichingfeet=103743 nad1983harnadjmnkoochichingmeters=103643
  nad1983harnadjmnlacquiparlefeet=103744 nad1983harnadjmnlacquiparlemeters=103644 nad1983harnadjmnlakefeet=103704
  nad1983harnadjmnlakemeters=103604 nad1983harnadjmnlakeofthewoodsnorthfeet=103745
  nad1983harnadjmnlakeofthewoodsnorthmeters=103645 nad1983harnadjmnlakeofthewoodssouthfeet=103746
  nad1983harnadjmnlakeofthewoodssouthmeters=103646 nad1983harnadjmnlesueurfeet=103747
  nad1983harnadjmnlesueurmeters=103647 nad1983harnadjmnlincolnfeet=103748 nad1983harnadjmnlincolnmeters=103648
  nad1983harnadjmnlyonfeet=103749 nad1983harnadjmnlyonmeters=103649 nad1983harnadjmnmahnomenfeet=103751
  nad1983harnadjmnmahnomenmeters=103651 nad1983harnadjmnmarshallfeet=103752 nad1983harnadjmnmarshallmeters=103652
  nad1983harnadjmnmartinfeet=103753 nad1983harnadjmnmartinmeters=103653 nad1983harnadjmnmcleodfeet=103750
  nad1983harnadjmnmcleodmeters=103650 nad1983harnadjmnmeekerfeet=103754 nad1983harnadjmnmeekermeters=103654
  nad1983harnadjmnmillelacsfeet=103705 nad1983harnadjmnmillelacsmeters=103605 nad1983harnadjmnmorrisonfeet=103755
  nad1983harnadjmnmorrisonmeters=103655 nad1983harnadjmnmowerfeet=103756 nad1983harnadjmnmowermeters=103656
  nad1983harnadjmnmurrayfeet=103757 nad1983harnadjmnmurraymeters=103657 nad1983harnadjmnnicolletfeet=103758
  nad1983harnadjmnnicolletmeters=103658 nad1983harnadjmnnoblesfeet=103759 nad1983harnadjmnnoblesmeters=103659
  nad1983harnadjmnnormanfeet=103760 nad1983harnadjmnnormanmeters=103660 nad1983harnadjmnolmstedfeet=103761
  nad1983harnadjmnolmstedmeters=103661 nad1983harnadjmnottertailfeet=103762 nad1983harnadjmnottertailmeters=103662
  nad1983harnadjmnpenningtonfeet=103763 nad1983harnadjmnpenningtonmeters=103663 nad1983harnadjmnpinefeet=103764
  nad1983harnadjmnpinemeters=103664 nad1983harnadjmnpipestonefeet=103765 nad1983harnadjmnpipestonemeters=103665
  nad1983harnadjmnpolkfeet=103766 nad1983harnadjmnpolkmeters=103666 nad1983harnadjmnpopefeet=103767
  nad1983harnadjmnpopemeters=103667 nad1983harnadjmnramseyfeet=103768 nad1983harnadjmnramseymeters=103668
  nad1983harnadjmnredlakefeet=103769 nad1983harnadjmnredlakemeters=103669 nad1983harnadjmnredwoodfeet=103770
  nad1983harnadjmnredwoodmeters=103670 nad1983harnadjmnrenvillefeet=103771 nad1983harnadjmnrenvillemeters=103671
  nad1983harnadjmnricefeet=103772 nad1983harnadjmnricemeters=103672 nad1983harnadjmnrockfeet=103773
  nad1983harnadjmnrockmeters=103673 nad1983harnadjmnroseaufeet=103774 nad1983harnadjmnroseaumeters=103674
  nad1983harnadjmnscottfeet=103778 nad1983harnadjmnscottmeters=103678 nad1983harnadjmnsherburnefeet=103779
  nad1983harnadjmnsherburnemeters=103679 nad1983harnadjmnsibleyfeet=103780 nad1983harnadjmnsibleymeters=103680
  nad1983harnadjmnstearnsfeet=103781 nad1983harnadjmnstearnsmeters=103681 nad1983harnadjmnsteelefeet=103782
  nad1983harnadjmnsteelemeters=103682 nad1983harnadjmnstevensfeet=103783 nad1983harnadjmnstevensmeters=103683
  nad1983harnadjmnstlouiscentralfeet=103776 nad1983harnadjmnstlouiscentralmeters=103676
  nad1983harnadjmnstlouiscs96feet=103695 nad1983harnadjmnstlouiscs96meters=103694
  nad1983harnadjmnstlouisnorthfeet=103775 nad1983harnadjmnstlouisnorthmeters=103675
  nad1983harnadjmnstlouissouthfeet=103777 nad1983harnadjmnstlouissouthmeters=103677 nad1983harnadjmnswiftfeet=103784
  nad1983harnadjmnswiftmeters=103684 nad1983harnadjmntoddfeet=103785 nad1983harnadjmntoddmeters=103685
  nad1983harnadjmntraversefeet=103786 nad1983harnadjmntraversemeters=103686 nad1983harnadjmnwabashafeet=103787
  nad1983harnadjmnwabashameters=103687 nad1983harnadjmnwadenafeet=103788 nad1983harnadjmnwadenameters=103688
  nad1983harnadjmnwasecafeet=103789 nad1983harnadjmnwasecameters=103689 nad1983harnadjmnwashingtonfeet=103706
  nad1983harnadjmnwashingtonmeters=103606 nad1983harnadjmnwatonwanfeet=103790 nad1983harnadjmnwatonwanmeters=103690
  nad1983harnadjmnwilkinfeet=103707 nad1983harnadjmnwilkinmeters=103607 nad1983harnadjmnwinonafeet=103791
  nad1983harnadjmnwinonameters=103691 nad1983harnadjmnwrightfeet=103792 nad1983harnadjmnwrightmeters=103692
  nad1983harnadjmnyellowmedicinefeet=103793 nad1983harnadjmnyellowmedicinemeters=103693
  nad1983harnadjwiadamsfeet=103900 nad1983harnadjwiadamsmeters=103800 nad1983harnadjwiashlandfeet=103901
  nad1983harnadjwiashlandmeters=103801 nad1983harnadjwibarronfeet=103902 nad1983harnadjwibarronmeters=103802
  nad1983harnadjwibayfieldfeet=103944 nad1983harnadjwibayfieldmeters=103844 nad1983harnadjwibrownfeet=103903
  nad1983harnadjwibrownmeters=103803 nad1983harnadjwibuffalofeet=103904 nad1983harnadjwibuffalometers=103804
  nad1983harnadjwiburnettfeet=103945 nad1983harnadjwiburnettmeters=103845 nad1983harnadjwicalumetfeet=103905
  nad1983harnadjwicalumetmeters=103805 nad1983harnadjwichippewafeet=103946 nad1983harnadjwichippewameters=103846
  nad1983harnadjwiclarkfeet=103906 nad1983harnadjwiclarkmeters=103806 nad1983harnadjwicolumbiafeet=103947
  nad1983harnadjwicolumbiameters=103847 nad1983harnadjwicrawfordfeet=103948 nad1983harnadjwicrawfordmeters=103848
  nad1983harnadjwidanefeet=103949 nad1983harnadjwidanemeters=103849 nad1983harnadjwidodgefeet=103907
  nad1983harnadjwidodgemeters=103807 nad1983harnadjwidoorfeet=103908 nad1983harnadjwidoormeters=103808
  nad1983harnadjwidouglasfeet=103909 nad1983harnadjwidouglasmeters=103809 nad1983harnadjwidunnfeet=103910
  nad1983harnadjwidunnmeters=103810 nad1983harnadjwieauclairefeet=103950 nad1983harnadjwieauclairemeters=103850
  nad1983harnadjwiflorencefeet=103911 nad1983harnadjwiflorencemeters=103811 nad1983harnadjwifonddulacfeet=103912
  nad1983harnadjwifonddulacmeters=103812 nad1983harnadjwiforestfeet=103913 nad1983harnadjwiforestmeters=103813
  nad1983harnadjwigrantfeet=103914 nad1983harnadjwigrantmeters=103814 nad1983harnadjwigreenfeet=103951
  nad1983harnadjwigreenlakefeet=103952 nad1983harnadjwigreenlakemeters=103852 nad1983harnadjwigreenmeters=103851
  nad1983harnadjwiiowafeet=103915 nad1983harnadjwiiowameters=103815 nad1983harnadjwiironfeet=103916
  nad1983harnadjwiironmeters=103816 nad1983harnadjwijacksonfeet=103953 nad1983harnadjwijacksonmeters=103853
  nad1983harnadjwijeffersonfeet=103917 nad1983harnadjwijeffersonmeters=103817 nad1983harnadjwijuneaufeet=103918
  nad1983harnadjwijuneaumeters=103818 nad1983harnadjwikenoshafeet=103919 nad1983harnadjwikenoshameters=103819
  nad1983harnadjwikewauneefeet=103920 nad1983harnadjwikewauneemeters=103820 nad1983harnadjwilacrossefeet=103921
  nad1983harnadjwilacrossemeters=103821 nad1983harnadjwilafayettefeet=103954 nad1983harnadjwilafayettemeters=103854
  nad1983harnadjwilangladefeet=103955 nad1983harnadjwilanglademeters=103855 nad1983harnadjwilincolnfeet=103922
  nad1983harnadjwilincolnmeters=103822 nad1983harnadjwimanitowocfeet=103923 nad1983harnadjwimanitowocmeters=103823
  nad1983harnadjwimarathonfeet=103956 nad1983harnadjwimarathonmeters=103856 nad1983harnadjwimarinettefeet=103924
  nad1983harnadjwimarinettemeters=103824 nad1983harnadjwimarquettefeet=103957 nad1983harnadjwimarquettemeters=103857
  nad1983harnadjwimenomineefeet=103925 nad1983harnadjwimenomineemeters=103825 nad1983harnadjwimilwaukeefeet=103926
  nad1983harnadjwimilwaukeemeters=103826 nad1983harnadjwimonroefeet=103958 nad1983harnadjwimonroemeters=103858
  nad1983harnadjwiocontofeet=103927 nad1983harnadjwiocontometers=103827 nad1983harnadjwioneidafeet=103959
  nad1983harnadjwioneidameters=103859 nad1983harnadjwioutagamiefeet=103928 nad1983harnadjwioutagamiemeters=103828
  nad1983harnadjwiozaukeefeet=103929 nad1983harnadjwiozaukeemeters=103829 nad1983harnadjwipepinfeet=103960
  nad1983harnadjwipepinmeters=103860 nad1983harnadjwipiercefeet=103961 nad1983harnadjwipiercemeters=103861
  nad1983harnadjwipolkfeet=103930 nad1983harnadjwipolkmeters=103830 nad1983harnadjwiportagefeet=103962
  nad1983harnadjwiportagemeters=103862 nad1983harnadjwipricefeet=103931 nad1983harnadjwipricemeters=103831
  nad1983harnadjwiracinefeet=103932 nad1983harnadjwiracinemeters=103832 nad1983harnadjwirichlandfeet=103963
  nad1983harnadjwirichlandmeters=103863 nad1983harnadjwirockfeet=103933 nad1983harnadjwirockmeters=103833
  nad1983harnadjwiruskfeet=103934 nad1983harnadjwiruskmeters=103834 nad1983harnadjwisaukfeet=103936
  nad1983harnadjwisaukmeters=103836 nad1983harnadjwisawyerfeet=103964 nad1983harnadjwisawyermeters=103864
  nad1983harnadjwishawanofeet=103937 nad1983harnadjwishawanometers=103837 nad1983harnadjwisheboyganfeet=103938
  nad1983harnadjwisheboyganmeters=103838 nad1983harnadjwistcroixfeet=103935 nad1983harnadjwistcroixmeters=103835
  nad1983harnadjwitaylorfeet=103965 nad1983harnadjwitaylormeters=103865 nad1983harnadjwitrempealeaufeet=103939
  nad1983harnadjwitrempealeaumeters=103839 nad1983harnadjwivernonfeet=103966 nad1983harnadjwivernonmeters=103866
  nad1983harnadjwivilasfeet=103967 nad1983harnadjwivilasmeters=103867 nad1983harnadjwiwalworthfeet=103968
  nad1983harnadjwiwalworthmeters=103868 nad1983harnadjwiwashburnfeet=103969 nad1983harnadjwiwashburnmeters=103869
  nad1983harnadjwiwashingtonfeet=103940 nad1983harnadjwiwashingtonmeters=103840 nad1983harnadjwiwaukeshafeet=103941
  nad1983harnadjwiwaukeshameters=103841 nad1983harnadjwiwaupacafeet=103942 nad1983harnadjwiwaupacameters=103842
  nad1983harnadjwiwausharafeet=103970 nad1983harnadjwiwausharameters=103870 nad1983harnadjwiwinnebagofeet=103943
  nad1983harnadjwiwinnebagometers=103843 nad1983harnadjwiwoodfeet=103971 nad1983harnadjwiwoodmeters=103871
  nad1983harncaliforniatealealbers=3311 nad1983harncontiguoususaalbers=5071 nad1983harncorrected=8545
  nad1983harncorrected3d=8545 nad1983harnfargogroundcoordinatesystem=102390 nad1983harnfloridagdlalbers=3087
  nad1983harnguammapgrid=4414 nad1983harnmaine2000centralzone=3464 nad1983harnmaine2000eastzone=3075
  nad1983harnmaine2000westzone=3077 nad1983harnmichigangeorefmeters=3079 nad1983harnmississippitm=3815
  nad1983harnnavajonationcoordinatesystemintlfeet=103588 nad1983harnnavajonationcoordinatesystemmeters=103586
  nad1983harnnavajonationcoordinatesystemusfeet=103587 nad1983harnoregonstatewidelambert=2993
  nad1983harnoregonstatewidelambertfeetintl=2994 nad1983harnstateplanealabamaeastfips0101=2759
  nad1983harnstateplanealabamawestfips0102=2760 nad1983harnstateplanearizonacentralfips0202=2762
  nad1983harnstateplanearizonacentralfips0202feetintl=2868 nad1983harnstateplanearizonaeastfips0201=2761
  nad1983harnstateplanearizonaeastfips0201feetintl=2867 nad1983harnstateplanearizonawestfips0203=2763
  nad1983harnstateplanearizonawestfips0203feetintl=2869 nad1983harnstateplanearkansasnorthfips0301=2764
  nad1983harnstateplanearkansasnorthfips0301feet=3441 nad1983harnstateplanearkansassouthfips0302=2765
  nad1983harnstateplanearkansassouthfips0302feet=3442 nad1983harnstateplanecaliforniaifips0401=2766
  nad1983harnstateplanecaliforniaifips0401feet=2870 nad1983harnstateplanecaliforniaiifips0402=2767
  nad1983harnstateplanecaliforniaiifips0402feet=2871 nad1983harnstateplanecaliforniaiiifips0403=2768
  nad1983harnstateplanecaliforniaiiifips0403feet=2872 nad1983harnstateplanecaliforniaivfips0404=2769
  nad1983harnstateplanecaliforniaivfips0404feet=2873 nad1983harnstateplanecaliforniavfips0405=2770
  nad1983harnstateplanecaliforniavfips0405feet=2874 nad1983harnstateplanecaliforniavifips0406=2771
  nad1983harnstateplanecaliforniavifips0406feet=2875 nad1983harnstateplanecoloradocentralfips0502=2773
  nad1983harnstateplanecoloradocentralfips0502feet=2877 nad1983harnstateplanecoloradonorthfips0501=2772
  nad1983harnstateplanecoloradonorthfips0501feet=2876 nad1983harnstateplanecoloradosouthfips0503=2774
  nad1983harnstateplanecoloradosouthfips0503feet=2878 nad1983harnstateplaneconnecticutfips0600=2775
  nad1983harnstateplaneconnecticutfips0600feet=2879 nad1983harnstateplanedelawarefips0700=2776
  nad1983harnstateplanedelawarefips0700feet=2880 nad1983harnstateplanefloridaeastfips0901=2777
  nad1983harnstateplanefloridaeastfips0901feet=2881 nad1983harnstateplanefloridanorthfips0903=2779
  nad1983harnstateplanefloridanorthfips0903feet=2883 nad1983harnstateplanefloridawestfips0902=2778
  nad1983harnstateplanefloridawestfips0902feet=2882 nad1983harnstateplanegeorgiaeastfips1001=2780
  nad1983harnstateplanegeorgiaeastfips1001feet=2884 nad1983harnstateplanegeorgiawestfips1002=2781
  nad1983harnstateplanegeorgiawestfips1002feet=2885 nad1983harnstateplanehawaii1fips5101=2782
  nad1983harnstateplanehawaii1fips5101feet=102461 nad1983harnstateplanehawaii2fips5102=2783
  nad1983harnstateplanehawaii2fips5102feet=102462 nad1983harnstateplanehawaii3fips5103=2784
  nad1983harnstateplanehawaii3fips5103feet=3760 nad1983harnstateplanehawaii4fips5104=2785
  nad1983harnstateplanehawaii4fips5104feet=102464 nad1983harnstateplanehawaii5fips5105=2786
  nad1983harnstateplanehawaii5fips5105feet=102465 nad1983harnstateplaneidahocentralfips1102=2788
  nad1983harnstateplaneidahocentralfips1102feet=2887 nad1983harnstateplaneidahoeastfips1101=2787
  nad1983harnstateplaneidahoeastfips1101feet=2886 nad1983harnstateplaneidahowestfips1103=2789
  nad1983harnstateplaneidahowestfips1103feet=2888 nad1983harnstateplaneillinoiseastfips1201=2790
  nad1983harnstateplaneillinoiseastfips1201feet=3443 nad1983harnstateplaneillinoiswestfips1202=2791
  nad1983harnstateplaneillinoiswestfips1202feet=3444 nad1983harnstateplaneindianaeastfips1301=2792
  nad1983harnstateplaneindianaeastfips1301feet=2967 nad1983harnstateplaneindianawestfips1302=2793
  nad1983harnstateplaneindianawestfips1302feet=2968 nad1983harnstateplaneiowanorthfips1401=2794
  nad1983harnstateplaneiowanorthfips1401feet=3425 nad1983harnstateplaneiowasouthfips1402=2795
  nad1983harnstateplaneiowasouthfips1402feet=3426 nad1983harnstateplanekansasnorthfips1501=2796
  nad1983harnstateplanekansasnorthfips1501feet=3427 nad1983harnstateplanekansassouthfips1502=2797
  nad1983harnstateplanekansassouthfips1502feet=3428 nad1983harnstateplanekentuckyfips1600=3090
  nad1983harnstateplanekentuckyfips1600feet=3091 nad1983harnstateplanekentuckynorthfips1601=2798
  nad1983harnstateplanekentuckynorthfips1601feet=2891 nad1983harnstateplanekentuckysouthfips1602=2799
  nad1983harnstateplanekentuckysouthfips1602feet=2892 nad1983harnstateplanelouisiananorthfips1701=2800
  nad1983harnstateplanelouisiananorthfips1701feet=3456 nad1983harnstateplanelouisianasouthfips1702=2801
  nad1983harnstateplanelouisianasouthfips1702feet=3457 nad1983harnstateplanemaineeastfips1801=2802
  nad1983harnstateplanemaineeastfips1801feet=26855 nad1983harnstateplanemainewestfips1802=2803
  nad1983harnstateplanemainewestfips1802feet=26856 nad1983harnstateplanemarylandfips1900=2804
  nad1983harnstateplanemarylandfips1900feet=2893 nad1983harnstateplanemassachusettsislandfips2002=2806
  nad1983harnstateplanemassachusettsislandfips2002feet=2895 nad1983harnstateplanemassachusettsmainlandfips2001=2805
  nad1983harnstateplanemassachusettsmainlandfips2001feet=2894 nad1983harnstateplanemichigancentralfips2112=2808
  nad1983harnstateplanemichigancentralfips2112feetintl=2897 nad1983harnstateplanemichigannorthfips2111=2807
  nad1983harnstateplanemichigannorthfips2111feetintl=2896 nad1983harnstateplanemichigansouthfips2113=2809
  nad1983harnstateplanemichigansouthfips2113feetintl=2898 nad1983harnstateplaneminnesotacentralfips2202=2811
  nad1983harnstateplaneminnesotacentralfips2202feet=26858 nad1983harnstateplaneminnesotanorthfips2201=2810
  nad1983harnstateplaneminnesotanorthfips2201feet=26857 nad1983harnstateplaneminnesotasouthfips2203=2812
  nad1983harnstateplaneminnesotasouthfips2203feet=26859 nad1983harnstateplanemississippieastfips2301=2813
  nad1983harnstateplanemississippieastfips2301feet=2899 nad1983harnstateplanemississippiwestfips2302=2814
  nad1983harnstateplanemississippiwestfips2302feet=2900 nad1983harnstateplanemissouricentralfips2402=2816
  nad1983harnstateplanemissourieastfips2401=2815 nad1983harnstateplanemissouriwestfips2403=2817
  nad1983harnstateplanemontanafips2500=2818 nad1983harnstateplanemontanafips2500feetintl=2901
  nad1983harnstateplanenebraskafips2600=2819 nad1983harnstateplanenebraskafips2600feet=26860
  nad1983harnstateplanenevadacentralfips2702=2821 nad1983harnstateplanenevadacentralfips2702feet=3430
  nad1983harnstateplanenevadaeastfips2701=2820 nad1983harnstateplanenevadaeastfips2701feet=3429
  nad1983harnstateplanenevadawestfips2703=2822 nad1983harnstateplanenevadawestfips2703feet=3431
  nad1983harnstateplanenewhampshirefips2800=2823 nad1983harnstateplanenewhampshirefips2800feet=3445
  nad1983harnstateplanenewjerseyfips2900=2824 nad1983harnstateplanenewjerseyfips2900feet=3432
  nad1983harnstateplanenewmexicocentralfips3002=2826 nad1983harnstateplanenewmexicocentralfips3002feet=2903
  nad1983harnstateplanenewmexicoeastfips3001=2825 nad1983harnstateplanenewmexicoeastfips3001feet=2902
  nad1983harnstateplanenewmexicowestfips3003=2827 nad1983harnstateplanenewmexicowestfips3003feet=2904
  nad1983harnstateplanenewyorkcentralfips3102=2829 nad1983harnstateplanenewyorkcentralfips3102feet=2906
  nad1983harnstateplanenewyorkeastfips3101=2828 nad1983harnstateplanenewyorkeastfips3101feet=2905
  nad1983harnstateplanenewyorklongislandfips3104=2831 nad1983harnstateplanenewyorklongislandfips3104feet=2908
  nad1983harnstateplanenewyorkwestfips3103=2830 nad1983harnstateplanenewyorkwestfips3103feet=2907
  nad1983harnstateplanenorthcarolinafips3200=3358 nad1983harnstateplanenorthcarolinafips3200feet=3404
  nad1983harnstateplanenorthdakotanorthfips3301=2832 nad1983harnstateplanenorthdakotanorthfips3301feetintl=2909
  nad1983harnstateplanenorthdakotasouthfips3302=2833 nad1983harnstateplanenorthdakotasouthfips3302feetintl=2910
  nad1983harnstateplaneohionorthfips3401=2834 nad1983harnstateplaneohionorthfips3401feet=3753
  nad1983harnstateplaneohiosouthfips3402=2835 nad1983harnstateplaneohiosouthfips3402feet=3754
  nad1983harnstateplaneoklahomanorthfips3501=2836 nad1983harnstateplaneoklahomanorthfips3501feet=2911
  nad1983harnstateplaneoklahomasouthfips3502=2837 nad1983harnstateplaneoklahomasouthfips3502feet=2912
  nad1983harnstateplaneoregonnorthfips3601=2838 nad1983harnstateplaneoregonnorthfips3601feetintl=2913
  nad1983harnstateplaneoregonsouthfips3602=2839 nad1983harnstateplaneoregonsouthfips3602feetintl=2914
  nad1983harnstateplanepennsylvanianorthfips3701=3362 nad1983harnstateplanepennsylvanianorthfips3701feet=3363
  nad1983harnstateplanepennsylvaniasouthfips3702=3364 nad1983harnstateplanepennsylvaniasouthfips3702feet=3365
  nad1983harnstateplanepuertoricovirginislandsfips5200=2866 nad1983harnstateplanerhodeislandfips3800=2840
  nad1983harnstateplanerhodeislandfips3800feet=3446 nad1983harnstateplanesouthcarolinafips3900=3360
  nad1983harnstateplanesouthcarolinafips3900feetintl=3361 nad1983harnstateplanesouthdakotanorthfips4001=2841
  nad1983harnstateplanesouthdakotanorthfips4001feet=3458 nad1983harnstateplanesouthdakotasouthfips4002=2842
  nad1983harnstateplanesouthdakotasouthfips4002feet=3459 nad1983harnstateplanetennesseefips4100=2843
  nad1983harnstateplanetennesseefips4100feet=2915 nad1983harnstateplanetexascentralfips4203=2846
  nad1983harnstateplanetexascentralfips4203feet=2918 nad1983harnstateplanetexasnorthcentralfips4202=2845
  nad1983harnstateplanetexasnorthcentralfips4202feet=2917 nad1983harnstateplanetexasnorthfips4201=2844
  nad1983harnstateplanetexasnorthfips4201feet=2916 nad1983harnstateplanetexassouthcentralfips4204=2847
  nad1983harnstateplanetexassouthcentralfips4204feet=2919 nad1983harnstateplanetexassouthfips4205=2848
  nad1983harnstateplanetexassouthfips4205feet=2920 nad1983harnstateplaneutahcentralfips4302=2850
  nad1983harnstateplaneutahcentralfips4302feet=3569 nad1983harnstateplaneutahcentralfips4302feetintl=2922
  nad1983harnstateplaneutahnorthfips4301=2849 nad1983harnstateplaneutahnorthfips4301feet=3568
  nad1983harnstateplaneutahnorthfips4301feetintl=2921 nad1983harnstateplaneutahsouthfips4303=2851
  nad1983harnstateplaneutahsouthfips4303feet=3570 nad1983harnstateplaneutahsouthfips4303feetintl=2923
  nad1983harnstateplanevermontfips4400=2852 nad1983harnstateplanevermontfips4400ftus=5654
  nad1983harnstateplanevirginianorthfips4501=2853 nad1983harnstateplanevirginianorthfips4501feet=2924
  nad1983harnstateplanevirginiasouthfips4502=2854 nad1983harnstateplanevirginiasouthfips4502feet=2925
  nad1983harnstateplanewashingtonnorthfips4601=2855 nad1983harnstateplanewashingtonnorthfips4601feet=2926
  nad1983harnstateplanewashingtonsouthfips4602=2856 nad1983harnstateplanewashingtonsouthfips4602feet=2927
  nad1983harnstateplanewestvirginianorthfips4701=2857 nad1983harnstateplanewestvirginianorthfips4701feet=26861
  nad1983harnstateplanewestvirginiasouthfips4702=2858 nad1983harnstateplanewestvirginiasouthfips4702feet=26862
  nad1983harnstateplanewisconsincentralfips4802=2860 nad1983harnstateplanewisconsincentralfips4802feet=2929
  nad1983harnstateplanewisconsinnorthfips4801=2859 nad1983harnstateplanewisconsinnorthfips4801feet=2928
  nad1983harnstateplanewisconsinsouthfips4803=2861 nad1983harnstateplanewisconsinsouthfips4803feet=2930
  nad1983harnstateplanewyomingeastcentralfips4902=2863 nad1983harnstateplanewyomingeastcentralfips4902feet=3756
  nad1983harnstateplanewyomingeastfips4901=2862 nad1983harnstateplanewyomingeastfips4901feet=3755
  nad1983harnstateplanewyomingwestcentralfips4903=2864 nad1983harnstateplanewyomingwestcentralfips4903feet=3757
  nad1983harnstateplanewyomingwestfips4904=2865 nad1983harnstateplanewyomingwestfips4904feet=3758
  nad1983harntexascentricmappingsystemalbers=3085 nad1983harntexascentricmappingsystemlambert=3084
  nad1983harnutmzone10n=3740 nad1983harnutmzone11n=3741 nad1983harnutmzone12n=3742 nad1983harnutmzone13n=3743
  nad1983harnutmzone14n=3744 nad1983harnutmzone15n=3745 nad1983harnutmzone16n=3746 nad1983harnutmzone17n=3747
  nad1983harnutmzone18n=3748 nad1983harnutmzone19n=3749 nad1983harnutmzone2s=2195 nad1983harnutmzone4n=3750
  nad1983harnutmzone5n=3751 nad1983harnvirginialambert=3969 nad1983harnwisconsintm=3071
  nad1983harnwisconsintmusft=102220 nad1983harnwiscrsadamsandjuneaufeet=8226
  nad1983harnwiscrsadamsandjuneaumeters=8225 nad1983harnwiscrsadamscountyfeet=103400
  nad1983harnwiscrsadamscountymeters=103300 nad1983harnwiscrsashlandcountyfeet=8224
  nad1983harnwiscrsashlandcountymeters=8222 nad1983harnwiscrsbarroncountyfeet=8220
  nad1983harnwiscrsbarroncountymeters=8218 nad1983harnwiscrsbayfieldcountyfeet=8216
  nad1983harnwiscrsbayfieldcountymeters=8214 nad1983harnwiscrsbrowncountyfeet=8213
  nad1983harnwiscrsbrowncountymeters=8212 nad1983harnwiscrsbuffalocountyfeet=8210
  nad1983harnwiscrsbuffalocountymeters=8209 nad1983harnwiscrsburnettcountyfeet=8208
  nad1983harnwiscrsburnettcountymeters=8207 nad1983harnwiscrscalumetcountyfeet=103407
  nad1983harnwiscrscalumetcountymeters=103307 nad1983harnwiscrscalumetfonddulacoutagamieandwinnebagofeet=8206
  nad1983harnwiscrscalumetfonddulacoutagamieandwinnebagometers=8205 nad1983harnwiscrschippewacountyfeet=8204
  nad1983harnwiscrschippewacountymeters=8203 nad1983harnwiscrsclarkcountyfeet=8202
  nad1983harnwiscrsclarkcountymeters=8201 nad1983harnwiscrscolumbiacountyfeet=8200
  nad1983harnwiscrscolumbiacountymeters=8198 nad1983harnwiscrscrawfordcountyfeet=8197
  nad1983harnwiscrscrawfordcountymeters=8196 nad1983harnwiscrsdanecountyfeet=8193
  nad1983harnwiscrsdanecountymeters=8191 nad1983harnwiscrsdodgeandjeffersonfeet=8189
  nad1983harnwiscrsdodgeandjeffersonmeters=8187 nad1983harnwiscrsdodgecountyfeet=103413
  nad1983harnwiscrsdodgecountymeters=103313 nad1983harnwiscrsdoorcountyfeet=8185
  nad1983harnwiscrsdoorcountymeters=8184 nad1983harnwiscrsdouglascountyfeet=8182
  nad1983harnwiscrsdouglascountymeters=8181 nad1983harnwiscrsdunncountyfeet=8180
  nad1983harnwiscrsdunncountymeters=8179 nad1983harnwiscrseauclairecountyfeet=8093
  nad1983harnwiscrseauclairecountymeters=8092 nad1983harnwiscrsflorencecountyfeet=8091
  nad1983harnwiscrsflorencecountymeters=8090 nad1983harnwiscrsfonddulaccountyfeet=103419
  nad1983harnwiscrsfonddulaccountymeters=103319 nad1983harnwiscrsforestcountyfeet=8177
  nad1983harnwiscrsforestcountymeters=8173 nad1983harnwiscrsgrantcountyfeet=8172
  nad1983harnwiscrsgrantcountymeters=8171 nad1983harnwiscrsgreenandlafayettefeet=8170
  nad1983harnwiscrsgreenandlafayettemeters=8169 nad1983harnwiscrsgreencountyfeet=103422
  nad1983harnwiscrsgreencountymeters=103322 nad1983harnwiscrsgreenlakeandmarquettefeet=8168
  nad1983harnwiscrsgreenlakeandmarquettemeters=8167 nad1983harnwiscrsgreenlakecountyfeet=103423
  nad1983harnwiscrsgreenlakecountymeters=103323 nad1983harnwiscrsiowacountyfeet=8166
  nad1983harnwiscrsiowacountymeters=8165 nad1983harnwiscrsironcountyfeet=8164 nad1983harnwiscrsironcountymeters=8163
  nad1983harnwiscrsjacksoncountyfeet=8162 nad1983harnwiscrsjacksoncountymeters=8161
  nad1983harnwiscrsjeffersoncountyfeet=103427 nad1983harnwiscrsjeffersoncountymeters=103327
  nad1983harnwiscrsjuneaucountyfeet=103428 nad1983harnwiscrsjuneaucountymeters=103328
  nad1983harnwiscrskenoshacountyfeet=103429 nad1983harnwiscrskenoshacountymeters=103329
  nad1983harnwiscrskenoshamilwaukeeozaukeeandracinefeet=8160
  nad1983harnwiscrskenoshamilwaukeeozaukeeandracinemeters=8159 nad1983harnwiscrskewauneecountyfeet=103430
  nad1983harnwiscrskewauneecountymeters=103330 nad1983harnwiscrskewauneemanitowocandsheboyganfeet=8158
  nad1983harnwiscrskewauneemanitowocandsheboyganmeters=8157 nad1983harnwiscrslacrossecountyfeet=8156
  nad1983harnwiscrslacrossecountymeters=8155 nad1983harnwiscrslafayettecountyfeet=103432
  nad1983harnwiscrslafayettecountymeters=103332 nad1983harnwiscrslangladecountyfeet=8154
  nad1983harnwiscrslangladecountymeters=8153 nad1983harnwiscrslincolncountyfeet=8152
  nad1983harnwiscrslincolncountymeters=8151 nad1983harnwiscrsmanitowoccountyfeet=103435
  nad1983harnwiscrsmanitowoccountymeters=103335 nad1983harnwiscrsmarathoncountyfeet=8150
  nad1983harnwiscrsmarathoncountymeters=8149 nad1983harnwiscrsmarinettecountyfeet=8148
  nad1983harnwiscrsmarinettecountymeters=8147 nad1983harnwiscrsmarquettecountyfeet=103438
  nad1983harnwiscrsmarquettecountymeters=103338 nad1983harnwiscrsmenomineecountyfeet=8146
  nad1983harnwiscrsmenomineecountymeters=8145 nad1983harnwiscrsmilwaukeecountyfeet=103440
  nad1983harnwiscrsmilwaukeecountymeters=103340 nad1983harnwiscrsmonroecountyfeet=8144
  nad1983harnwiscrsmonroecountymeters=8143 nad1983harnwiscrsocontocountyfeet=8142
  nad1983harnwiscrsocontocountymeters=8141 nad1983harnwiscrsoneidacountyfeet=8140
  nad1983harnwiscrsoneidacountymeters=8139 nad1983harnwiscrsoutagamiecountyfeet=103444
  nad1983harnwiscrsoutagamiecountymeters=103344 nad1983harnwiscrsozaukeecountyfeet=103445
  nad1983harnwiscrsozaukeecountymeters=103345 nad1983harnwiscrspepinandpiercefeet=8138
  nad1983harnwiscrspepinandpiercemeters=8137 nad1983harnwiscrspepincountyfeet=103446
  nad1983harnwiscrspepincountymeters=103346 nad1983harnwiscrspiercecountyfeet=103447
  nad1983harnwiscrspiercecountymeters=103347 nad1983harnwiscrspolkcountyfeet=8136
  nad1983harnwiscrspolkcountymeters=8135 nad1983harnwiscrsportagecountyfeet=8134
  nad1983harnwiscrsportagecountymeters=8133 nad1983harnwiscrspricecountyfeet=8132
  nad1983harnwiscrspricecountymeters=8131 nad1983harnwiscrsracinecountyfeet=103451
  nad1983harnwiscrsracinecountymeters=103351 nad1983harnwiscrsrichlandcountyfeet=8130
  nad1983harnwiscrsrichlandcountymeters=8129 nad1983harnwiscrsrockcountyfeet=8128
  nad1983harnwiscrsrockcountymeters=8127 nad1983harnwiscrsruskcountyfeet=8126 nad1983harnwiscrsruskcountymeters=8125
  nad1983harnwiscrssaukcountyfeet=8124 nad1983harnwiscrssaukcountymeters=8123 nad1983harnwiscrssawyercountyfeet=8122
  nad1983harnwiscrssawyercountymeters=8121 nad1983harnwiscrsshawanocountyfeet=8120
  nad1983harnwiscrsshawanocountymeters=8119 nad1983harnwiscrssheboygancountyfeet=103458
  nad1983harnwiscrssheboygancountymeters=103358 nad1983harnwiscrsstcroixcountyfeet=8118
  nad1983harnwiscrsstcroixcountymeters=8117 nad1983harnwiscrstaylorcountyfeet=8116
  nad1983harnwiscrstaylorcountymeters=8115 nad1983harnwiscrstrempealeaucountyfeet=8114
  nad1983harnwiscrstrempealeaucountymeters=8113 nad1983harnwiscrsvernoncountyfeet=8112
  nad1983harnwiscrsvernoncountymeters=8111 nad1983harnwiscrsvilascountyfeet=8110
  nad1983harnwiscrsvilascountymeters=8109 nad1983harnwiscrswalworthcountyfeet=8108
  nad1983harnwiscrswalworthcountymeters=8107 nad1983harnwiscrswashburncountyfeet=8106
  nad1983harnwiscrswashburncountymeters=8105 nad1983harnwiscrswashingtoncountyfeet=8104
  nad1983harnwiscrswashingtoncountymeters=8103 nad1983harnwiscrswaukeshacountyfeet=8102
  nad1983harnwiscrswaukeshacountymeters=8101 nad1983harnwiscrswaupacacountyfeet=8100
  nad1983harnwiscrswaupacacountymeters=8099 nad1983harnwiscrswausharacountyfeet=8098
  nad1983harnwiscrswausharacountymeters=8097 nad1983harnwiscrswinnebagocountyfeet=103470
  nad1983harnwiscrswinnebagocountymeters=103370 nad1983harnwiscrswoodcountyfeet=8096
  nad1983harnwiscrswoodcountymeters=8095 nad1983idahoadacounty=102459 nad1983idahotm=8826 nad1983kansaslcc=6922
  nad1983kansaslccftus=6923 nad1983ma113d=6325 nad1983ma11guammapgrid=6637 nad1983ma11utmzone54n=8692
  nad1983ma11utmzone55n=8693 nad1983maine2000centralzone=3463 nad1983maine2000eastzone=3072
  nad1983maine2000westzone=3074 nad1983marp003d=9072 nad1983michigangeoreffeetus=102121
  nad1983michigangeorefmeters=3078 nad1983mississippitm=3814 nad1983mtm1=32181 nad1983mtm10=32190 nad1983mtm11=32191
  nad1983mtm12=32192 nad1983mtm13=32193 nad1983mtm14=32194 nad1983mtm15=32195 nad1983mtm16=32196 nad1983mtm17=32197
  nad1983mtm2=32182 nad1983mtm2scopq=32180 nad1983mtm3=32183 nad1983mtm4=32184 nad1983mtm5=32185 nad1983mtm6=32186
  nad1983mtm7=32187 nad1983mtm8=32188 nad1983mtm9=32189 nad1983mtqlambert=3798 nad1983ncrslasvegasftus=8380
  nad1983ncrslasvegashighftus=8382 nad1983ncrslasvegashighm=8381 nad1983ncrslasvegasm=8379
  nad1983nebraskalancastercountyftus=102705 nad1983northwestterritorieslambert=3580 nad1983nsrs20073d=4759
  nad1983nsrs2007alaskaalbers=3467 nad1983nsrs2007californiatealealbers=3488 nad1983nsrs2007contiguoususaalbers=5072
  nad1983nsrs2007epsgarcticzone529=6094 nad1983nsrs2007epsgarcticzone531=6095 nad1983nsrs2007epsgarcticzone614=6096
  nad1983nsrs2007epsgarcticzone616=6097 nad1983nsrs2007floridagdlalbers=3513 nad1983nsrs2007maine2000centralzone=3554
  nad1983nsrs2007maine2000eastzone=3555 nad1983nsrs2007maine2000westzone=3556 nad1983nsrs2007michigangeorefmeters=3591
  nad1983nsrs2007mississippitm=3816 nad1983nsrs2007navajonationcoordinatesystemintlfeet=103591
  nad1983nsrs2007navajonationcoordinatesystemmeters=103589 nad1983nsrs2007navajonationcoordinatesystemusfeet=103590
  nad1983nsrs2007oregonstatewidelambert=3643 nad1983nsrs2007oregonstatewidelambertftintl=3644
  nad1983nsrs2007stateplanealabamaeastfips0101=3465 nad1983nsrs2007stateplanealabamawestfips0102=3466
  nad1983nsrs2007stateplanealaska10fips5010=3477 nad1983nsrs2007stateplanealaska1fips5001=3468
  nad1983nsrs2007stateplanealaska2fips5002=3469 nad1983nsrs2007stateplanealaska3fips5003=3470
  nad1983nsrs2007stateplanealaska4fips5004=3471 nad1983nsrs2007stateplanealaska5fips5005=3472
  nad1983nsrs2007stateplanealaska6fips5006=3473 nad1983nsrs2007stateplanealaska7fips5007=3474
  nad1983nsrs2007stateplanealaska8fips5008=3475 nad1983nsrs2007stateplanealaska9fips5009=3476
  nad1983nsrs2007stateplanearizonacentralfips0202=3478 nad1983nsrs2007stateplanearizonacentralfips0202ftintl=3479
  nad1983nsrs2007stateplanearizonaeastfips0201=3480 nad1983nsrs2007stateplanearizonaeastfips0201ftintl=3481
  nad1983nsrs2007stateplanearizonawestfips0203=3482 nad1983nsrs2007stateplanearizonawestfips0203ftintl=3483
  nad1983nsrs2007stateplanearkansasnorthfips0301=3484 nad1983nsrs2007stateplanearkansasnorthfips0301ftus=3485
  nad1983nsrs2007stateplanearkansassouthfips0302=3486 nad1983nsrs2007stateplanearkansassouthfips0302ftus=3487
  nad1983nsrs2007stateplanecaliforniaifips0401=3489 nad1983nsrs2007stateplanecaliforniaifips0401ftus=3490
  nad1983nsrs2007stateplanecaliforniaiifips0402=3491 nad1983nsrs2007stateplanecaliforniaiifips0402ftus=3492
  nad1983nsrs2007stateplanecaliforniaiiifips0403=3493 nad1983nsrs2007stateplanecaliforniaiiifips0403ftus=3494
  nad1983nsrs2007stateplanecaliforniaivfips0404=3495 nad1983nsrs2007stateplanecaliforniaivfips0404ftus=3496
  nad1983nsrs2007stateplanecaliforniavfips0405=3497 nad1983nsrs2007stateplanecaliforniavfips0405ftus=3498
  nad1983nsrs2007stateplanecaliforniavifips0406=3499 nad1983nsrs2007stateplanecaliforniavifips0406ftus=3500
  nad1983nsrs2007stateplanecoloradocentralfips0502=3501 nad1983nsrs2007stateplanecoloradocentralfips0502ftus=3502
  nad1983nsrs2007stateplanecoloradonorthfips0501=3503 nad1983nsrs2007stateplanecoloradonorthfips0501ftus=3504
  nad1983nsrs2007stateplanecoloradosouthfips0503=3505 nad1983nsrs2007stateplanecoloradosouthfips0503ftus=3506
  nad1983nsrs2007stateplaneconnecticutfips0600=3507 nad1983nsrs2007stateplaneconnecticutfips0600ftus=3508
  nad1983nsrs2007stateplanedelawarefips0700=3509 nad1983nsrs2007stateplanedelawarefips0700ftus=3510
  nad1983nsrs2007stateplanefloridaeastfips0901=3511 nad1983nsrs2007stateplanefloridaeastfips0901ftus=3512
  nad1983nsrs2007stateplanefloridanorthfips0903=3514 nad1983nsrs2007stateplanefloridanorthfips0903ftus=3515
  nad1983nsrs2007stateplanefloridawestfips0902=3516 nad1983nsrs2007stateplanefloridawestfips0902ftus=3517
  nad1983nsrs2007stateplanegeorgiaeastfips1001=3518 nad1983nsrs2007stateplanegeorgiaeastfips1001ftus=3519
  nad1983nsrs2007stateplanegeorgiawestfips1002=3520 nad1983nsrs2007stateplanegeorgiawestfips1002ftus=3521
  nad1983nsrs2007stateplaneidahocentralfips1102=3522 nad1983nsrs2007stateplaneidahocentralfips1102ftus=3523
  nad1983nsrs2007stateplaneidahoeastfips1101=3524 nad1983nsrs2007stateplaneidahoeastfips1101ftus=3525
  nad1983nsrs2007stateplaneidahowestfips1103=3526 nad1983nsrs2007stateplaneidahowestfips1103ftus=3527
  nad1983nsrs2007stateplaneillinoiseastfips1201=3528 nad1983nsrs2007stateplaneillinoiseastfips1201ftus=3529
  nad1983nsrs2007stateplaneillinoiswestfips1202=3530 nad1983nsrs2007stateplaneillinoiswestfips1202ftus=3531
  nad1983nsrs2007stateplaneindianaeastfips1301=3532 nad1983nsrs2007stateplaneindianaeastfips1301ftus=3533
  nad1983nsrs2007stateplaneindianawestfips1302=3534 nad1983nsrs2007stateplaneindianawestfips1302ftus=3535
  nad1983nsrs2007stateplaneiowanorthfips1401=3536 nad1983nsrs2007stateplaneiowanorthfips1401ftus=3537
  nad1983nsrs2007stateplaneiowasouthfips1402=3538 nad1983nsrs2007stateplaneiowasouthfips1402ftus=3539
  nad1983nsrs2007stateplanekansasnorthfips1501=3540 nad1983nsrs2007stateplanekansasnorthfips1501ftus=3541
  nad1983nsrs2007stateplanekansassouthfips1502=3542 nad1983nsrs2007stateplanekansassouthfips1502ftus=3543
  nad1983nsrs2007stateplanekentuckyfips1600=3546 nad1983nsrs2007stateplanekentuckyfips1600ftus=3547
  nad1983nsrs2007stateplanekentuckynorthfips1601=3544 nad1983nsrs2007stateplanekentuckynorthfips1601ftus=3545
  nad1983nsrs2007stateplanekentuckysouthfips1602=3548 nad1983nsrs2007stateplanekentuckysouthfips1602ftus=3549
  nad1983nsrs2007stateplanelouisiananorthfips1701=3550 nad1983nsrs2007stateplanelouisiananorthfips1701ftus=3551
  nad1983nsrs2007stateplanelouisianasouthfips1702=3552 nad1983nsrs2007stateplanelouisianasouthfips1702ftus=3553
  nad1983nsrs2007stateplanemaineeastfips1801=3557 nad1983nsrs2007stateplanemaineeastfips1801ftus=26863
  nad1983nsrs2007stateplanemainewestfips1802=3558 nad1983nsrs2007stateplanemainewestfips1802ftus=26864
  nad1983nsrs2007stateplanemarylandfips1900=3559 nad1983nsrs2007stateplanemarylandfips1900ftus=3582
  nad1983nsrs2007stateplanemassachusettsislandfips2002=3583 nad1983nsrs2007stateplanemassachusettsislfips2002ftus=3584
  nad1983nsrs2007stateplanemassachusettsmainlandfips2001=3585
  nad1983nsrs2007stateplanemassachusettsmnldfips2001ftus=3586 nad1983nsrs2007stateplanemichigancentralfips2112=3587
  nad1983nsrs2007stateplanemichigancentralfips2112ftintl=3588 nad1983nsrs2007stateplanemichigannorthfips2111=3589
  nad1983nsrs2007stateplanemichigannorthfips2111ftintl=3590 nad1983nsrs2007stateplanemichigansouthfips2113=3592
  nad1983nsrs2007stateplanemichigansouthfips2113ftintl=3593 nad1983nsrs2007stateplaneminnesotacentralfips2202=3594
  nad1983nsrs2007stateplaneminnesotacentralfips2202ftus=26866 nad1983nsrs2007stateplaneminnesotanorthfips2201=3595
  nad1983nsrs2007stateplaneminnesotanorthfips2201ftus=26865 nad1983nsrs2007stateplaneminnesotasouthfips2203=3596
  nad1983nsrs2007stateplaneminnesotasouthfips2203ftus=26867 nad1983nsrs2007stateplanemississippieastfips2301=3597
  nad1983nsrs2007stateplanemississippieastfips2301ftus=3598 nad1983nsrs2007stateplanemississippiwestfips2302=3599
  nad1983nsrs2007stateplanemississippiwestfips2302ftus=3600 nad1983nsrs2007stateplanemissouricentralfips2402=3601
  nad1983nsrs2007stateplanemissourieastfips2401=3602 nad1983nsrs2007stateplanemissouriwestfips2403=3603
  nad1983nsrs2007stateplanemontanafips2500=3604 nad1983nsrs2007stateplanemontanafips2500ftintl=3605
  nad1983nsrs2007stateplanenebraskafips2600=3606 nad1983nsrs2007stateplanenebraskafips2600ftus=26868
  nad1983nsrs2007stateplanenevadacentralfips2702=3607 nad1983nsrs2007stateplanenevadacentralfips2702ftus=3608
  nad1983nsrs2007stateplanenevadaeastfips2701=3609 nad1983nsrs2007stateplanenevadaeastfips2701ftus=3610
  nad1983nsrs2007stateplanenevadawestfips2703=3611 nad1983nsrs2007stateplanenevadawestfips2703ftus=3612
  nad1983nsrs2007stateplanenewhampshirefips2800=3613 nad1983nsrs2007stateplanenewhampshirefips2800ftus=3614
  nad1983nsrs2007stateplanenewjerseyfips2900=3615 nad1983nsrs2007stateplanenewjerseyfips2900ftus=3616
  nad1983nsrs2007stateplanenewmexicocentralfips3002=3617 nad1983nsrs2007stateplanenewmexicocentralfips3002ftus=3618
  nad1983nsrs2007stateplanenewmexicoeastfips3001=3619 nad1983nsrs2007stateplanenewmexicoeastfips3001ftus=3620
  nad1983nsrs2007stateplanenewmexicowestfips3003=3621 nad1983nsrs2007stateplanenewmexicowestfips3003ftus=3622
  nad1983nsrs2007stateplanenewyorkcentralfips3102=3623 nad1983nsrs2007stateplanenewyorkcentralfips3102ftus=3624
  nad1983nsrs2007stateplanenewyorkeastfips3101=3625 nad1983nsrs2007stateplanenewyorkeastfips3101ftus=3626
  nad1983nsrs2007stateplanenewyorklongislandfips3104=3627 nad1983nsrs2007stateplanenewyorklongislfips3104ftus=3628
  nad1983nsrs2007stateplanenewyorkwestfips3103=3629 nad1983nsrs2007stateplanenewyorkwestfips3103ftus=3630
  nad1983nsrs2007stateplanenorthcarolinafips3200=3631 nad1983nsrs2007stateplanenorthcarolinafips3200ftus=3632
  nad1983nsrs2007stateplanenorthdakotanorthfips3301=3633 nad1983nsrs2007stateplanenorthdakotanorthfips3301fti=3634
  nad1983nsrs2007stateplanenorthdakotasouthfips3302=3635 nad1983nsrs2007stateplanenorthdakotasouthfips3302fti=3636
  nad1983nsrs2007stateplaneohionorthfips3401=3637 nad1983nsrs2007stateplaneohionorthfips3401ftus=3728
  nad1983nsrs2007stateplaneohiosouthfips3402=3638 nad1983nsrs2007stateplaneohiosouthfips3402ftus=3729
  nad1983nsrs2007stateplaneoklahomanorthfips3501=3639 nad1983nsrs2007stateplaneoklahomanorthfips3501ftus=3640
  nad1983nsrs2007stateplaneoklahomasouthfips3502=3641 nad1983nsrs2007stateplaneoklahomasouthfips3502ftus=3642
  nad1983nsrs2007stateplaneoregonnorthfips3601=3645 nad1983nsrs2007stateplaneoregonnorthfips3601ftintl=3646
  nad1983nsrs2007stateplaneoregonsouthfips3602=3647 nad1983nsrs2007stateplaneoregonsouthfips3602ftintl=3648
  nad1983nsrs2007stateplanepennsylvanianorthfips3701=3649 nad1983nsrs2007stateplanepennsylvanianorthfips3701ftus=3650
  nad1983nsrs2007stateplanepennsylvaniasouthfips3702=3651 nad1983nsrs2007stateplanepennsylvaniasouthfips3702ftus=3652
  nad1983nsrs2007stateplanepuertoricovirginislsfips5200=4437 nad1983nsrs2007stateplanerhodeislandfips3800=3653
  nad1983nsrs2007stateplanerhodeislandfips3800ftus=3654 nad1983nsrs2007stateplanesouthcarolinafips3900=3655
  nad1983nsrs2007stateplanesouthcarolinafips3900ftintl=3656 nad1983nsrs2007stateplanesouthdakotanorthfips4001=3657
  nad1983nsrs2007stateplanesouthdakotanorthfips4001ftus=3658 nad1983nsrs2007stateplanesouthdakotasouthfips4002=3659
  nad1983nsrs2007stateplanesouthdakotasouthfips4002ftus=3660 nad1983nsrs2007stateplanetennesseefips4100=3661
  nad1983nsrs2007stateplanetennesseefips4100ftus=3662 nad1983nsrs2007stateplanetexascentralfips4203=3663
  nad1983nsrs2007stateplanetexascentralfips4203ftus=3664 nad1983nsrs2007stateplanetexasnorthcentralfips4202=3669
  nad1983nsrs2007stateplanetexasnorthcentralfips4202ftus=3670 nad1983nsrs2007stateplanetexasnorthfips4201=3667
  nad1983nsrs2007stateplanetexasnorthfips4201ftus=3668 nad1983nsrs2007stateplanetexassouthcentralfips4204=3673
  nad1983nsrs2007stateplanetexassouthcentralfips4204ftus=3674 nad1983nsrs2007stateplanetexassouthfips4205=3671
  nad1983nsrs2007stateplanetexassouthfips4205ftus=3672 nad1983nsrs2007stateplaneutahcentralfips4302=3675
  nad1983nsrs2007stateplaneutahcentralfips4302ftintl=3676 nad1983nsrs2007stateplaneutahcentralfips4302ftus=3677
  nad1983nsrs2007stateplaneutahnorthfips4301=3678 nad1983nsrs2007stateplaneutahnorthfips4301ftintl=3679
  nad1983nsrs2007stateplaneutahnorthfips4301ftus=3680 nad1983nsrs2007stateplaneutahsouthfips4303=3681
  nad1983nsrs2007stateplaneutahsouthfips4303ftintl=3682 nad1983nsrs2007stateplaneutahsouthfips4303ftus=3683
  nad1983nsrs2007stateplanevermontfips4400=3684 nad1983nsrs2007stateplanevermontfips4400ftus=5655
  nad1983nsrs2007stateplanevirginianorthfips4501=3685 nad1983nsrs2007stateplanevirginianorthfips4501ftus=3686
  nad1983nsrs2007stateplanevirginiasouthfips4502=3687 nad1983nsrs2007stateplanevirginiasouthfips4502ftus=3688
  nad1983nsrs2007stateplanewashingtonnorthfips4601=3689 nad1983nsrs2007stateplanewashingtonnorthfips4601ftus=3690
  nad1983nsrs2007stateplanewashingtonsouthfips4602=3691 nad1983nsrs2007stateplanewashingtonsouthfips4602ftus=3692
  nad1983nsrs2007stateplanewestvirginianorthfips4701=3693 nad1983nsrs2007stateplanewestvirginianorthfips4701ftus=26869
  nad1983nsrs2007stateplanewestvirginiasouthfips4702=3694 nad1983nsrs2007stateplanewestvirginiasouthfips4702ftus=26870
  nad1983nsrs2007stateplanewisconsincentralfips4802=3695 nad1983nsrs2007stateplanewisconsincentralfips4802ftus=3696
  nad1983nsrs2007stateplanewisconsinnorthfips4801=3697 nad1983nsrs2007stateplanewisconsinnorthfips4801ftus=3698
  nad1983nsrs2007stateplanewisconsinsouthfips4803=3699 nad1983nsrs2007stateplanewisconsinsouthfips4803ftus=3700
  nad1983nsrs2007stateplanewyomingeastcentralfips4902=3703 nad1983nsrs2007stateplanewyomingeastfips4901=3702
  nad1983nsrs2007stateplanewyomingeastfips4901ftus=3730 nad1983nsrs2007stateplanewyomingecentralfips4902ftus=3731
  nad1983nsrs2007stateplanewyomingwcentralfips4903ftus=3732 nad1983nsrs2007stateplanewyomingwestcentralfips4903=3704
  nad1983nsrs2007stateplanewyomingwestfips4904=3705 nad1983nsrs2007stateplanewyomingwestfips4904ftus=3733
  nad1983nsrs2007texascentricmappingsystemalbers=3665 nad1983nsrs2007texascentricmappingsystemlambert=3666
  nad1983nsrs2007utmzone10n=3717 nad1983nsrs2007utmzone11n=3718 nad1983nsrs2007utmzone12n=3719
  nad1983nsrs2007utmzone13n=3720 nad1983nsrs2007utmzone14n=3721 nad1983nsrs2007utmzone15n=3722
  nad1983nsrs2007utmzone16n=3723 nad1983nsrs2007utmzone17n=3724 nad1983nsrs2007utmzone18n=3725
  nad1983nsrs2007utmzone19n=3726 nad1983nsrs2007utmzone1n=3708 nad1983nsrs2007utmzone20n=102044
  nad1983nsrs2007utmzone2n=3709 nad1983nsrs2007utmzone3n=3710 nad1983nsrs2007utmzone4n=3711
  nad1983nsrs2007utmzone59n=3706 nad1983nsrs2007utmzone5n=3712 nad1983nsrs2007utmzone60n=3707
  nad1983nsrs2007utmzone6n=3713 nad1983nsrs2007utmzone7n=3714 nad1983nsrs2007utmzone8n=3715
  nad1983nsrs2007utmzone9n=3716 nad1983nsrs2007virginialambert=3970 nad1983nsrs2007wisconsintm=3701
  nad1983nsrs2007wisconsintmusft=102217 nad1983ontariomnrlambert=3161 nad1983oregonstatewidelambert=2991
  nad1983oregonstatewidelambertfeetintl=2992 nad1983pa113d=6322 nad1983pa11stateplanehawaii1fips5101=6628
  nad1983pa11stateplanehawaii1fips5101feet=102525 nad1983pa11stateplanehawaii2fips5102=6629
  nad1983pa11stateplanehawaii2fips5102feet=102526 nad1983pa11stateplanehawaii3fips5103=6630
  nad1983pa11stateplanehawaii3fips5103feet=6633 nad1983pa11stateplanehawaii4fips5104=6631
  nad1983pa11stateplanehawaii4fips5104feet=102528 nad1983pa11stateplanehawaii5fips5105=6632
  nad1983pa11stateplanehawaii5fips5105feet=102529 nad1983pa11utmzone2s=6636 nad1983pa11utmzone4n=6634
  nad1983pa11utmzone5n=6635 nad1983pacp003d=9075 nad1983pacp00utmzone2s=102703 nad1983pacp00utmzone4n=102701
  nad1983pacp00utmzone5n=102702 nad1983quebecalbers=6623 nad1983quebeclambert=32198
  nad1983stateplanealabamaeastfips0101=26929 nad1983stateplanealabamaeastfips0101feet=102629
  nad1983stateplanealabamawestfips0102=26930 nad1983stateplanealabamawestfips0102feet=102630
  nad1983stateplanealaska10fips5010=26940 nad1983stateplanealaska10fips5010feet=102640
  nad1983stateplanealaska1fips5001=26931 nad1983stateplanealaska1fips5001feet=102631
  nad1983stateplanealaska2fips5002=26932 nad1983stateplanealaska2fips5002feet=102632
  nad1983stateplanealaska3fips5003=26933 nad1983stateplanealaska3fips5003feet=102633
  nad1983stateplanealaska4fips5004=26934 nad1983stateplanealaska4fips5004feet=102634
  nad1983stateplanealaska5fips5005=26935 nad1983stateplanealaska5fips5005feet=102635
  nad1983stateplanealaska6fips5006=26936 nad1983stateplanealaska6fips5006feet=102636
  nad1983stateplanealaska7fips5007=26937 nad1983stateplanealaska7fips5007feet=102637
  nad1983stateplanealaska8fips5008=26938 nad1983stateplanealaska8fips5008feet=102638
  nad1983stateplanealaska9fips5009=26939 nad1983stateplanealaska9fips5009feet=102639
  nad1983stateplanearizonacentralfips0202=26949 nad1983stateplanearizonacentralfips0202feet=102649
  nad1983stateplanearizonacentralfips0202feetintl=2223 nad1983stateplanearizonaeastfips0201=26948
  nad1983stateplanearizonaeastfips0201feet=102648 nad1983stateplanearizonaeastfips0201feetintl=2222
  nad1983stateplanearizonawestfips0203=26950 nad1983stateplanearizonawestfips0203feet=102650
  nad1983stateplanearizonawestfips0203feetintl=2224 nad1983stateplanearkansasnorthfips0301=26951
  nad1983stateplanearkansasnorthfips0301feet=3433 nad1983stateplanearkansassouthfips0302=26952
  nad1983stateplanearkansassouthfips0302feet=3434 nad1983stateplanecaliforniaifips0401=26941
  nad1983stateplanecaliforniaifips0401feet=2225 nad1983stateplanecaliforniaiifips0402=26942
  nad1983stateplanecaliforniaiifips0402feet=2226 nad1983stateplanecaliforniaiiifips0403=26943
  nad1983stateplanecaliforniaiiifips0403feet=2227 nad1983stateplanecaliforniaivfips0404=26944
  nad1983stateplanecaliforniaivfips0404feet=2228 nad1983stateplanecaliforniavfips0405=26945
  nad1983stateplanecaliforniavfips0405feet=2229 nad1983stateplanecaliforniavifips0406=26946
  nad1983stateplanecaliforniavifips0406feet=2230 nad1983stateplanecoloradocentralfips0502=26954
  nad1983stateplanecoloradocentralfips0502feet=2232 nad1983stateplanecoloradonorthfips0501=26953
  nad1983stateplanecoloradonorthfips0501feet=2231 nad1983stateplanecoloradosouthfips0503=26955
  nad1983stateplanecoloradosouthfips0503feet=2233 nad1983stateplaneconnecticutfips0600=26956
  nad1983stateplaneconnecticutfips0600feet=2234 nad1983stateplanedelawarefips0700=26957
  nad1983stateplanedelawarefips0700feet=2235 nad1983stateplanefloridaeastfips0901=26958
  nad1983stateplanefloridaeastfips0901feet=2236 nad1983stateplanefloridanorthfips0903=26960
  nad1983stateplanefloridanorthfips0903feet=2238 nad1983stateplanefloridawestfips0902=26959
  nad1983stateplanefloridawestfips0902feet=2237 nad1983stateplanegeorgiaeastfips1001=26966
  nad1983stateplanegeorgiaeastfips1001feet=2239 nad1983stateplanegeorgiawestfips1002=26967
  nad1983stateplanegeorgiawestfips1002feet=2240 nad1983stateplaneguamfips5400=65161
  nad1983stateplaneguamfips5400feet=102766 nad1983stateplanehawaii1fips5101=26961
  nad1983stateplanehawaii1fips5101feet=102661 nad1983stateplanehawaii2fips5102=26962
  nad1983stateplanehawaii2fips5102feet=102662 nad1983stateplanehawaii3fips5103=26963
  nad1983stateplanehawaii3fips5103feet=3759 nad1983stateplanehawaii4fips5104=26964
  nad1983stateplanehawaii4fips5104feet=102664 nad1983stateplanehawaii5fips5105=26965
  nad1983stateplanehawaii5fips5105feet=102665 nad1983stateplaneidahocentralfips1102=26969
  nad1983stateplaneidahocentralfips1102feet=2242 nad1983stateplaneidahoeastfips1101=26968
  nad1983stateplaneidahoeastfips1101feet=2241 nad1983stateplaneidahowestfips1103=26970
  nad1983stateplaneidahowestfips1103feet=2243 nad1983stateplaneillinoiseastfips1201=26971
  nad1983stateplaneillinoiseastfips1201feet=3435 nad1983stateplaneillinoiswestfips1202=26972
  nad1983stateplaneillinoiswestfips1202feet=3436 nad1983stateplaneindianaeastfips1301=26973
  nad1983stateplaneindianaeastfips1301feet=2965 nad1983stateplaneindianawestfips1302=26974
  nad1983stateplaneindianawestfips1302feet=2966 nad1983stateplaneiowanorthfips1401=26975
  nad1983stateplaneiowanorthfips1401feet=3417 nad1983stateplaneiowasouthfips1402=26976
  nad1983stateplaneiowasouthfips1402feet=3418 nad1983stateplanekansasnorthfips1501=26977
  nad1983stateplanekansasnorthfips1501feet=3419 nad1983stateplanekansassouthfips1502=26978
  nad1983stateplanekansassouthfips1502feet=3420 nad1983stateplanekentuckyfips1600=3088
  nad1983stateplanekentuckyfips1600feet=3089 nad1983stateplanekentuckynorthfips1601=2205
  nad1983stateplanekentuckynorthfips1601feet=2246 nad1983stateplanekentuckysouthfips1602=26980
  nad1983stateplanekentuckysouthfips1602feet=2247 nad1983stateplanelouisiananorthfips1701=26981
  nad1983stateplanelouisiananorthfips1701feet=3451 nad1983stateplanelouisianaoffshorefips1703=32199
  nad1983stateplanelouisianaoffshorefips1703feet=3453 nad1983stateplanelouisianasouthfips1702=26982
  nad1983stateplanelouisianasouthfips1702feet=3452 nad1983stateplanemaineeastfips1801=26983
  nad1983stateplanemaineeastfips1801feet=26847 nad1983stateplanemainewestfips1802=26984
  nad1983stateplanemainewestfips1802feet=26848 nad1983stateplanemarylandfips1900=26985
  nad1983stateplanemarylandfips1900feet=2248 nad1983stateplanemassachusettsislandfips2002=26987
  nad1983stateplanemassachusettsislandfips2002feet=2250 nad1983stateplanemassachusettsmainlandfips2001=26986
  nad1983stateplanemassachusettsmainlandfips2001feet=2249 nad1983stateplanemichigancentralfips2112=26989
  nad1983stateplanemichigancentralfips2112feet=102689 nad1983stateplanemichigancentralfips2112feetintl=2252
  nad1983stateplanemichigannorthfips2111=26988 nad1983stateplanemichigannorthfips2111feet=102688
  nad1983stateplanemichigannorthfips2111feetintl=2251 nad1983stateplanemichigansouthfips2113=26990
  nad1983stateplanemichigansouthfips2113feet=102690 nad1983stateplanemichigansouthfips2113feetintl=2253
  nad1983stateplaneminnesotacentralfips2202=26992 nad1983stateplaneminnesotacentralfips2202feet=26850
  nad1983stateplaneminnesotanorthfips2201=26991 nad1983stateplaneminnesotanorthfips2201feet=26849
  nad1983stateplaneminnesotasouthfips2203=26993 nad1983stateplaneminnesotasouthfips2203feet=26851
  nad1983stateplanemississippieastfips2301=26994 nad1983stateplanemississippieastfips2301feet=2254
  nad1983stateplanemississippiwestfips2302=26995 nad1983stateplanemississippiwestfips2302feet=2255
  nad1983stateplanemissouricentralfips2402=26997 nad1983stateplanemissouricentralfips2402feet=102697
  nad1983stateplanemissourieastfips2401=26996 nad1983stateplanemissourieastfips2401feet=102696
  nad1983stateplanemissouriwestfips2403=26998 nad1983stateplanemissouriwestfips2403feet=102698
  nad1983stateplanemontanafips2500=32100 nad1983stateplanemontanafips2500feet=102700
  nad1983stateplanemontanafips2500feetintl=2256 nad1983stateplanenebraskafips2600=32104
  nad1983stateplanenebraskafips2600feet=26852 nad1983stateplanenevadacentralfips2702=32108
  nad1983stateplanenevadacentralfips2702feet=3422 nad1983stateplanenevadaeastfips2701=32107
  nad1983stateplanenevadaeastfips2701feet=3421 nad1983stateplanenevadawestfips2703=32109
  nad1983stateplanenevadawestfips2703feet=3423 nad1983stateplanenewhampshirefips2800=32110
  nad1983stateplanenewhampshirefips2800feet=3437 nad1983stateplanenewjerseyfips2900=32111
  nad1983stateplanenewjerseyfips2900feet=3424 nad1983stateplanenewmexicocentralfips3002=32113
  nad1983stateplanenewmexicocentralfips3002feet=2258 nad1983stateplanenewmexicoeastfips3001=32112
  nad1983stateplanenewmexicoeastfips3001feet=2257 nad1983stateplanenewmexicowestfips3003=32114
  nad1983stateplanenewmexicowestfips3003feet=2259 nad1983stateplanenewyorkcentralfips3102=32116
  nad1983stateplanenewyorkcentralfips3102feet=2261 nad1983stateplanenewyorkeastfips3101=32115
  nad1983stateplanenewyorkeastfips3101feet=2260 nad1983stateplanenewyorklongislandfips3104=32118
  nad1983stateplanenewyorklongislandfips3104feet=2263 nad1983stateplanenewyorkwestfips3103=32117
  nad1983stateplanenewyorkwestfips3103feet=2262 nad1983stateplanenorthcarolinafips3200=32119
  nad1983stateplanenorthcarolinafips3200feet=2264 nad1983stateplanenorthdakotanorthfips3301=32120
  nad1983stateplanenorthdakotanorthfips3301feet=102720 nad1983stateplanenorthdakotanorthfips3301feetintl=2265
  nad1983stateplanenorthdakotasouthfips3302=32121 nad1983stateplanenorthdakotasouthfips3302feet=102721
  nad1983stateplanenorthdakotasouthfips3302feetintl=2266 nad1983stateplaneohionorthfips3401=32122
  nad1983stateplaneohionorthfips3401feet=3734 nad1983stateplaneohiosouthfips3402=32123
  nad1983stateplaneohiosouthfips3402feet=3735 nad1983stateplaneoklahomanorthfips3501=32124
  nad1983stateplaneoklahomanorthfips3501feet=2267 nad1983stateplaneoklahomasouthfips3502=32125
  nad1983stateplaneoklahomasouthfips3502feet=2268 nad1983stateplaneoregonnorthfips3601=32126
  nad1983stateplaneoregonnorthfips3601feet=102726 nad1983stateplaneoregonnorthfips3601feetintl=2269
  nad1983stateplaneoregonsouthfips3602=32127 nad1983stateplaneoregonsouthfips3602feet=102727
  nad1983stateplaneoregonsouthfips3602feetintl=2270 nad1983stateplanepennsylvanianorthfips3701=32128
  nad1983stateplanepennsylvanianorthfips3701feet=2271 nad1983stateplanepennsylvaniasouthfips3702=32129
  nad1983stateplanepennsylvaniasouthfips3702feet=2272 nad1983stateplanepuertoricovirginislandsfips5200=32161
  nad1983stateplanepuertoricovirginislandsfips5200feet=102761 nad1983stateplanerhodeislandfips3800=32130
  nad1983stateplanerhodeislandfips3800feet=3438 nad1983stateplanesouthcarolinafips3900=32133
  nad1983stateplanesouthcarolinafips3900feet=102733 nad1983stateplanesouthcarolinafips3900feetintl=2273
  nad1983stateplanesouthdakotanorthfips4001=32134 nad1983stateplanesouthdakotanorthfips4001feet=4457
  nad1983stateplanesouthdakotasouthfips4002=32135 nad1983stateplanesouthdakotasouthfips4002feet=3455
  nad1983stateplanetennesseefips4100=32136 nad1983stateplanetennesseefips4100feet=2274
  nad1983stateplanetexascentralfips4203=32139 nad1983stateplanetexascentralfips4203feet=2277
  nad1983stateplanetexasnorthcentralfips4202=32138 nad1983stateplanetexasnorthcentralfips4202feet=2276
  nad1983stateplanetexasnorthfips4201=32137 nad1983stateplanetexasnorthfips4201feet=2275
  nad1983stateplanetexassouthcentralfips4204=32140 nad1983stateplanetexassouthcentralfips4204feet=2278
  nad1983stateplanetexassouthfips4205=32141 nad1983stateplanetexassouthfips4205feet=2279
  nad1983stateplaneutahcentralfips4302=32143 nad1983stateplaneutahcentralfips4302feet=3566
  nad1983stateplaneutahcentralfips4302feetintl=2281 nad1983stateplaneutahnorthfips4301=32142
  nad1983stateplaneutahnorthfips4301feet=3560 nad1983stateplaneutahnorthfips4301feetintl=2280
  nad1983stateplaneutahsouthfips4303=32144 nad1983stateplaneutahsouthfips4303feet=3567
  nad1983stateplaneutahsouthfips4303feetintl=2282 nad1983stateplanevermontfips4400=32145
  nad1983stateplanevermontfips4400feet=5646 nad1983stateplanevirginianorthfips4501=32146
  nad1983stateplanevirginianorthfips4501feet=2283 nad1983stateplanevirginiasouthfips4502=32147
  nad1983stateplanevirginiasouthfips4502feet=2284 nad1983stateplanewashingtonnorthfips4601=32148
  nad1983stateplanewashingtonnorthfips4601feet=2285 nad1983stateplanewashingtonsouthfips4602=32149
  nad1983stateplanewashingtonsouthfips4602feet=2286 nad1983stateplanewestvirginianorthfips4701=32150
  nad1983stateplanewestvirginianorthfips4701feet=26853 nad1983stateplanewestvirginiasouthfips4702=32151
  nad1983stateplanewestvirginiasouthfips4702feet=26854 nad1983stateplanewisconsincentralfips4802=32153
  nad1983stateplanewisconsincentralfips4802feet=2288 nad1983stateplanewisconsinnorthfips4801=32152
  nad1983stateplanewisconsinnorthfips4801feet=2287 nad1983stateplanewisconsinsouthfips4803=32154
  nad1983stateplanewisconsinsouthfips4803feet=2289 nad1983stateplanewyomingeastcentralfips4902=32156
  nad1983stateplanewyomingeastcentralfips4902feet=3737 nad1983stateplanewyomingeastfips4901=32155
  nad1983stateplanewyomingeastfips4901feet=3736 nad1983stateplanewyomingwestcentralfips4903=32157
  nad1983stateplanewyomingwestcentralfips4903feet=3738 nad1983stateplanewyomingwestfips4904=32158
  nad1983stateplanewyomingwestfips4904feet=3739 nad1983statisticscanadalambert=3347 nad1983teranetontariolambert=5320
  nad1983texascentricmappingsystemalbers=3083 nad1983texascentricmappingsystemlambert=3082
  nad1983texasstatewidemappingsystem=3081 nad1983usfsr6albers=9674 nad1983usfsr9albers=102042 nad1983utmzone10n=26910
  nad1983utmzone11n=26911 nad1983utmzone12n=26912 nad1983utmzone13n=26913 nad1983utmzone14n=26914
  nad1983utmzone15n=26915 nad1983utmzone16n=26916 nad1983utmzone17n=26917 nad1983utmzone18n=26918
  nad1983utmzone19n=26919 nad1983utmzone1n=26901 nad1983utmzone20n=26920 nad1983utmzone21n=26921
  nad1983utmzone22n=26922 nad1983utmzone23n=26923 nad1983utmzone24n=9712 nad1983utmzone2n=26902 nad1983utmzone3n=26903
  nad1983utmzone4n=26904 nad1983utmzone58n=102213 nad1983utmzone59n=3372 nad1983utmzone5n=26905 nad1983utmzone60n=3373
  nad1983utmzone6n=26906 nad1983utmzone7n=26907 nad1983utmzone8n=26908 nad1983utmzone9n=26909
  nad1983virginialambert=3968 nad1983wisconsintm=3070 nad1983wisconsintmusft=102219 nad1983wylam=102212
  nad1983yukonalbers=3578 nad27=4267 nad2776=4608 nad2776mtmzone10=2019 nad2776mtmzone11=2020 nad2776mtmzone12=2021
  nad2776mtmzone13=2022 nad2776mtmzone14=2023 nad2776mtmzone15=2024 nad2776mtmzone16=2025 nad2776mtmzone17=2026
  nad2776mtmzone8=2017 nad2776mtmzone9=2018 nad2776utmzone15n=2027 nad2776utmzone16n=2028 nad2776utmzone17n=2029
  nad2776utmzone18n=2030 nad27alabamaeast=26729 nad27alabamawest=26730 nad27alaskaalbers=2964 nad27alaskazone1=26731
  nad27alaskazone10=26740 nad27alaskazone2=26732 nad27alaskazone3=26733 nad27alaskazone4=26734 nad27alaskazone5=26735
  nad27alaskazone6=26736 nad27alaskazone7=26737 nad27alaskazone8=26738 nad27alaskazone9=26739
  nad27alberta3tmrefmerid111w=3771 nad27alberta3tmrefmerid114w=3772 nad27alberta3tmrefmerid117w=3773
  nad27alberta3tmrefmerid120w=3800 nad27arizonacentral=26749 nad27arizonaeast=26748 nad27arizonawest=26750
  nad27arkansasnorth=26751 nad27arkansassouth=26752 nad27blm10nftus=4410 nad27blm11nftus=4411 nad27blm12nftus=4412
  nad27blm13nftus=4413 nad27blm14nfeet=32074 nad27blm14nftus=32064 nad27blm15nfeet=32075 nad27blm15nftus=32065
  nad27blm16nfeet=32076 nad27blm16nftus=32066 nad27blm17nfeet=32077 nad27blm17nftus=32067 nad27blm18nftus=4418
  nad27blm19nftus=4419 nad27blm1nftus=4401 nad27blm2nftus=4402 nad27blm3nftus=4403 nad27blm4nftus=4404
  nad27blm59nftus=4399 nad27blm5nftus=4405 nad27blm60nftus=4400 nad27blm6nftus=4406 nad27blm7nftus=4407
  nad27blm8nftus=4408 nad27blm9nftus=4409 nad27californiaalbers=3309 nad27californiazonei=26741
  nad27californiazoneii=26742 nad27californiazoneiii=26743 nad27californiazoneiv=26744 nad27californiazonev=26745
  nad27californiazonevi=26746 nad27californiazonevii=26799 nad27cgq77=4609 nad27cgq77quebeclambert=2138
  nad27cgq77scopqzone10=2016 nad27cgq77scopqzone2=2008 nad27cgq77scopqzone3=2009 nad27cgq77scopqzone4=2010
  nad27cgq77scopqzone5=2011 nad27cgq77scopqzone6=2012 nad27cgq77scopqzone7=2013 nad27cgq77scopqzone8=2014
  nad27cgq77scopqzone9=2015 nad27cgq77utmzone17n=2031 nad27cgq77utmzone18n=2032 nad27cgq77utmzone19n=2033
  nad27cgq77utmzone20n=2034 nad27cgq77utmzone21n=2035 nad27coloradocentral=26754 nad27coloradonorth=26753
  nad27coloradosouth=26755 nad27connecticut=26756 nad27conusalbers=5069 nad27cubanorte=3795 nad27cubasur=3796
  nad27delaware=26757 nad27floridaeast=26758 nad27floridanorth=26760 nad27floridawest=26759 nad27georgiaeast=26766
  nad27georgiawest=26767 nad27guatemalanorte=32061 nad27guatemalasur=32062 nad27idahocentral=26769
  nad27idahoeast=26768 nad27idahowest=26770 nad27illinoiseast=26771 nad27illinoiswest=26772 nad27indianaeast=26773
  nad27indianawest=26774 nad27iowanorth=26775 nad27iowasouth=26776 nad27kansasnorth=26777 nad27kansassouth=26778
  nad27kentuckynorth=26779 nad27kentuckysouth=26780 nad27louisiananorth=26781 nad27louisianaoffshore=32099
  nad27louisianasouth=26782 nad27maineeast=26783 nad27mainewest=26784 nad27maryland=26785
  nad27massachusettsisland=26787 nad27massachusettsmainland=26786 nad27michigan=4268 nad27michigancentral=6201
  nad27michiganeast=5623 nad27michigannorth=6966 nad27michiganoldcentral=5624 nad27michigansouth=6202
  nad27michiganwest=5625 nad27minnesotacentral=26792 nad27minnesotanorth=26791 nad27minnesotasouth=26793
  nad27mississippieast=26794 nad27mississippiwest=26795 nad27missouricentral=26797 nad27missourieast=26796
  nad27missouriwest=26798 nad27montanacentral=32002 nad27montananorth=32001 nad27montanasouth=32003
  nad27mtmzone1=32081 nad27mtmzone10=7991 nad27mtmzone2=32082 nad27mtmzone3=32083 nad27mtmzone4=32084
  nad27mtmzone5=32085 nad27mtmzone6=32086 nad27mtqlambert=3797 nad27nebraskanorth=32005 nad27nebraskasouth=32006
  nad27nevadacentral=32008 nad27nevadaeast=32007 nad27nevadawest=32009 nad27newbrunswickstereographicnad27=5588
  nad27newhampshire=32010 nad27newjersey=32011 nad27newmexicocentral=32013 nad27newmexicoeast=32012
  nad27newmexicowest=32014 nad27newyorkcentral=32016 nad27newyorkeast=32015 nad27newyorklongisland=4456
  nad27newyorkwest=32017 nad27northcarolina=32019 nad27northdakotanorth=32020 nad27northdakotasouth=32021
  nad27ohionorth=32022 nad27ohiosouth=32023 nad27oklahomanorth=32024 nad27oklahomasouth=32025 nad27oregonnorth=32026
  nad27oregonsouth=32027 nad27pennsylvanianorth=32028 nad27pennsylvaniasouth=4455 nad27quebeclambert=32098
  nad27rhodeisland=32030 nad27shackleford=3080 nad27southcarolinanorth=32031 nad27southcarolinasouth=32033
  nad27southdakotanorth=32034 nad27southdakotasouth=32035 nad27tennessee=2204 nad27texascentral=32039
  nad27texasnorth=32037 nad27texasnorthcentral=32038 nad27texassouth=32041 nad27texassouthcentral=32040
  nad27usnationalatlasequalarea=9311 nad27utahcentral=32043 nad27utahnorth=32042 nad27utahsouth=32044
  nad27utmzone10n=26710 nad27utmzone11n=26711 nad27utmzone12n=26712 nad27utmzone13n=26713 nad27utmzone14n=26714
  nad27utmzone15n=26715 nad27utmzone16n=26716 nad27utmzone17n=26717 nad27utmzone18n=26718 nad27utmzone19n=26719
  nad27utmzone1n=26701 nad27utmzone20n=26720 nad27utmzone21n=26721 nad27utmzone22n=26722 nad27utmzone2n=26702
  nad27utmzone3n=26703 nad27utmzone4n=26704 nad27utmzone59n=3370 nad27utmzone5n=26705 nad27utmzone60n=3371
  nad27utmzone6n=26706 nad27utmzone7n=26707 nad27utmzone8n=26708 nad27utmzone9n=26709 nad27vermont=32045
  nad27virginianorth=32046 nad27virginiasouth=32047 nad27washingtonnorth=32048 nad27washingtonsouth=32049
  nad27westvirginianorth=32050 nad27westvirginiasouth=32051 nad27wisconsincentral=32053 nad27wisconsinnorth=32052
  nad27wisconsinsouth=32054 nad27wisconsintransversemercator=3069 nad27wyomingeast=32055 nad27wyomingeastcentral=32056
  nad27wyomingwest=32058 nad27wyomingwestcentral=32057 nad83=4269 nad832011=6318 nad832011alabamaeast=6355
  nad832011alabamaeastftus=9748 nad832011alabamawest=6356 nad832011alabamawestftus=9749 nad832011alaskaalbers=6393
  nad832011alaskazone1=6394 nad832011alaskazone10=6403 nad832011alaskazone2=6395 nad832011alaskazone3=6396
  nad832011alaskazone4=6397 nad832011alaskazone5=6398 nad832011alaskazone6=6399 nad832011alaskazone7=6400
  nad832011alaskazone8=6401 nad832011alaskazone9=6402 nad832011amtrakneccs21ft=20050 nad832011arizonacentral=6404
  nad832011arizonacentralft=6405 nad832011arizonaeast=6406 nad832011arizonaeastft=6407 nad832011arizonawest=6408
  nad832011arizonawestft=6409 nad832011arkansasnorth=6410 nad832011arkansasnorthftus=6411 nad832011arkansassouth=6412
  nad832011arkansassouthftus=6413 nad832011californiaalbers=6414 nad832011californiazone1=6415
  nad832011californiazone1ftus=6416 nad832011californiazone2=6417 nad832011californiazone2ftus=6418
  nad832011californiazone3=6419 nad832011californiazone3ftus=6420 nad832011californiazone4=6421
  nad832011californiazone4ftus=6422 nad832011californiazone5=6423 nad832011californiazone5ftus=6424
  nad832011californiazone6=6425 nad832011californiazone6ftus=6426 nad832011coloradocentral=6427
  nad832011coloradocentralftus=6428 nad832011coloradonorth=6429 nad832011coloradonorthftus=6430
  nad832011coloradosouth=6431 nad832011coloradosouthftus=6432 nad832011connecticut=6433 nad832011connecticutftus=6434
  nad832011conusalbers=6350 nad832011delaware=6435 nad832011delawareftus=6436 nad832011epsgarcticzone529=6351
  nad832011epsgarcticzone531=6352 nad832011epsgarcticzone614=6353 nad832011epsgarcticzone616=6354
  nad832011floridaeast=6437 nad832011floridaeastftus=6438 nad832011floridagdlalbers=6439 nad832011floridanorth=6440
  nad832011floridanorthftus=6441 nad832011floridawest=6442 nad832011floridawestftus=6443 nad832011georgiaeast=6444
  nad832011georgiaeastftus=6445 nad832011georgiawest=6446 nad832011georgiawestftus=6447 nad832011iarcszone1=7057
  nad832011iarcszone10=7066 nad832011iarcszone11=7067 nad832011iarcszone12=7068 nad832011iarcszone13=7069
  nad832011iarcszone14=7070 nad832011iarcszone2=7058 nad832011iarcszone3=7059 nad832011iarcszone4=7060
  nad832011iarcszone5=7061 nad832011iarcszone6=7062 nad832011iarcszone7=7063 nad832011iarcszone8=7064
  nad832011iarcszone9=7065 nad832011idahocentral=6448 nad832011idahocentralftus=6449 nad832011idahoeast=6450
  nad832011idahoeastftus=6451 nad832011idahowest=6452 nad832011idahowestftus=6453 nad832011illinoiseast=6454
  nad832011illinoiseastftus=6455 nad832011illinoiswest=6456 nad832011illinoiswestftus=6457 nad832011indianaeast=6458
  nad832011indianaeastftus=6459 nad832011indianawest=6460 nad832011indianawestftus=6461 nad832011ingcsadamsftus=7258
  nad832011ingcsadamsm=7257 nad832011ingcsallenftus=7260 nad832011ingcsallenm=7259 nad832011ingcsbartholomewftus=7262
  nad832011ingcsbartholomewm=7261 nad832011ingcsbentonftus=7264 nad832011ingcsbentonm=7263
  nad832011ingcsblackforddelawareftus=7266 nad832011ingcsblackforddelawarem=7265 nad832011ingcsboonehendricksftus=7268
  nad832011ingcsboonehendricksm=7267 nad832011ingcsbrownftus=7270 nad832011ingcsbrownm=7269
  nad832011ingcscarrollftus=7272 nad832011ingcscarrollm=7271 nad832011ingcscassftus=7274 nad832011ingcscassm=7273
  nad832011ingcsclarkfloydscottftus=7276 nad832011ingcsclarkfloydscottm=7275 nad832011ingcsclayftus=7278
  nad832011ingcsclaym=7277 nad832011ingcsclintonftus=7280 nad832011ingcsclintonm=7279
  nad832011ingcscrawfordlawrenceorangeftus=7282 nad832011ingcscrawfordlawrenceorangem=7281
  nad832011ingcsdaviessgreeneftus=7284 nad832011ingcsdaviessgreenem=7283
  nad832011ingcsdearbornohioswitzerlandftus=7286 nad832011ingcsdearbornohioswitzerlandm=7285
  nad832011ingcsdecaturrushftus=7288 nad832011ingcsdecaturrushm=7287 nad832011ingcsdekalbftus=7290
  nad832011ingcsdekalbm=7289 nad832011ingcsduboismartinftus=7292 nad832011ingcsduboismartinm=7291
  nad832011ingcselkhartkosciuskowabashftus=7294 nad832011ingcselkhartkosciuskowabashm=7293
  nad832011ingcsfayettefranklinunionftus=7296 nad832011ingcsfayettefranklinunionm=7295
  nad832011ingcsfountainwarrenftus=7298 nad832011ingcsfountainwarrenm=7297
  nad832011ingcsfultonmarshallstjosephftus=7300 nad832011ingcsfultonmarshallstjosephm=7299
  nad832011ingcsgibsonftus=7302 nad832011ingcsgibsonm=7301 nad832011ingcsgrantftus=7304 nad832011ingcsgrantm=7303
  nad832011ingcshamiltontiptonftus=7306 nad832011ingcshamiltontiptonm=7305 nad832011ingcshancockmadisonftus=7308
  nad832011ingcshancockmadisonm=7307 nad832011ingcsharrisonwashingtonftus=7310 nad832011ingcsharrisonwashingtonm=7309
  nad832011ingcshenryftus=7312 nad832011ingcshenrym=7311 nad832011ingcshowardmiamiftus=7314
  nad832011ingcshowardmiamim=7313 nad832011ingcshuntingtonwhitleyftus=7316 nad832011ingcshuntingtonwhitleym=7315
  nad832011ingcsjacksonftus=7318 nad832011ingcsjacksonm=7317 nad832011ingcsjasperporterftus=7320
  nad832011ingcsjasperporterm=7319 nad832011ingcsjayftus=7322 nad832011ingcsjaym=7321 nad832011ingcsjeffersonftus=7324
  nad832011ingcsjeffersonm=7323 nad832011ingcsjenningsftus=7326 nad832011ingcsjenningsm=7325
  nad832011ingcsjohnsonmarionftus=7328 nad832011ingcsjohnsonmarionm=7327 nad832011ingcsknoxftus=7330
  nad832011ingcsknoxm=7329 nad832011ingcslagrangenobleftus=7332 nad832011ingcslagrangenoblem=7331
  nad832011ingcslakenewtonftus=7334 nad832011ingcslakenewtonm=7333 nad832011ingcslaportepulaskistarkeftus=7336
  nad832011ingcslaportepulaskistarkem=7335 nad832011ingcsmonroemorganftus=7338 nad832011ingcsmonroemorganm=7337
  nad832011ingcsmontgomeryputnamftus=7340 nad832011ingcsmontgomeryputnamm=7339 nad832011ingcsowenftus=7342
  nad832011ingcsowenm=7341 nad832011ingcsparkevermillionftus=7344 nad832011ingcsparkevermillionm=7343
  nad832011ingcsperryftus=7346 nad832011ingcsperrym=7345 nad832011ingcspikewarrickftus=7348
  nad832011ingcspikewarrickm=7347 nad832011ingcsposeyftus=7350 nad832011ingcsposeym=7349
  nad832011ingcsrandolphwayneftus=7352 nad832011ingcsrandolphwaynem=7351 nad832011ingcsripleyftus=7354
  nad832011ingcsripleym=7353 nad832011ingcsshelbyftus=7356 nad832011ingcsshelbym=7355 nad832011ingcsspencerftus=7358
  nad832011ingcsspencerm=7357 nad832011ingcssteubenftus=7360 nad832011ingcssteubenm=7359
  nad832011ingcssullivanftus=7362 nad832011ingcssullivanm=7361 nad832011ingcstippecanoewhiteftus=7364
  nad832011ingcstippecanoewhitem=7363 nad832011ingcsvanderburghftus=7366 nad832011ingcsvanderburghm=7365
  nad832011ingcsvigoftus=7368 nad832011ingcsvigom=7367 nad832011ingcswellsftus=7370 nad832011ingcswellsm=7369
  nad832011iowanorth=6462 nad832011iowanorthftus=6463 nad832011iowasouth=6464 nad832011iowasouthftus=6465
  nad832011kansaslcc=6924 nad832011kansaslccftus=6925 nad832011kansasnorth=6466 nad832011kansasnorthftus=6467
  nad832011kansassouth=6468 nad832011kansassouthftus=6469 nad832011kentuckynorth=6470 nad832011kentuckynorthftus=6471
  nad832011kentuckysinglezone=6472 nad832011kentuckysinglezoneftus=6473 nad832011kentuckysouth=6474
  nad832011kentuckysouthftus=6475 nad832011ksrcszone1=8518 nad832011ksrcszone10=8527 nad832011ksrcszone11=8528
  nad832011ksrcszone12=8529 nad832011ksrcszone13=8531 nad832011ksrcszone14=8533 nad832011ksrcszone15=8534
  nad832011ksrcszone16=8535 nad832011ksrcszone17=8536 nad832011ksrcszone18=8538 nad832011ksrcszone19=8539
  nad832011ksrcszone2=8519 nad832011ksrcszone20=8540 nad832011ksrcszone3=8520 nad832011ksrcszone4=8521
  nad832011ksrcszone5=8522 nad832011ksrcszone6=8523 nad832011ksrcszone7=8524 nad832011ksrcszone8=8525
  nad832011ksrcszone9=8526 nad832011louisiananorth=6476 nad832011louisiananorthftus=6477 nad832011louisianasouth=6478
  nad832011louisianasouthftus=6479 nad832011mainecs2000central=6480 nad832011mainecs2000east=6481
  nad832011mainecs2000west=6482 nad832011maineeast=6483 nad832011maineeastftus=6484 nad832011mainewest=6485
  nad832011mainewestftus=6486 nad832011maryland=6487 nad832011marylandftus=6488 nad832011massachusettsisland=6489
  nad832011massachusettsislandftus=6490 nad832011massachusettsmainland=6491 nad832011massachusettsmainlandftus=6492
  nad832011michigancentral=6493 nad832011michigancentralft=6494 nad832011michigannorth=6495
  nad832011michigannorthft=6496 nad832011michiganobliquemercator=6497 nad832011michigansouth=6498
  nad832011michigansouthft=6499 nad832011minnesotacentral=6500 nad832011minnesotacentralftus=6501
  nad832011minnesotanorth=6502 nad832011minnesotanorthftus=6503 nad832011minnesotasouth=6504
  nad832011minnesotasouthftus=6505 nad832011mississippieast=6506 nad832011mississippieastftus=6507
  nad832011mississippitm=6508 nad832011mississippiwest=6509 nad832011mississippiwestftus=6510
  nad832011missouricentral=6511 nad832011missourieast=6512 nad832011missouriwest=6513 nad832011montana=6514
  nad832011montanaft=6515 nad832011ncrslasvegasftus=8384 nad832011ncrslasvegashighftus=8387
  nad832011ncrslasvegashighm=8385 nad832011ncrslasvegasm=8383 nad832011nebraska=6516 nad832011nebraskaftus=6880
  nad832011nevadacentral=6518 nad832011nevadacentralftus=6519 nad832011nevadaeast=6520 nad832011nevadaeastftus=6521
  nad832011nevadawest=6522 nad832011nevadawestftus=6523 nad832011newhampshire=6524 nad832011newhampshireftus=6525
  nad832011newjersey=6526 nad832011newjerseyftus=6527 nad832011newmexicocentral=6528
  nad832011newmexicocentralftus=6529 nad832011newmexicoeast=6530 nad832011newmexicoeastftus=6531
  nad832011newmexicowest=6532 nad832011newmexicowestftus=6533 nad832011newyorkcentral=6534
  nad832011newyorkcentralftus=6535 nad832011newyorkeast=6536 nad832011newyorkeastftus=6537
  nad832011newyorklongisland=6538 nad832011newyorklongislandftus=6539 nad832011newyorkwest=6540
  nad832011newyorkwestftus=6541 nad832011northcarolina=6542 nad832011northcarolinaftus=6543
  nad832011northdakotanorth=6544 nad832011northdakotanorthft=6545 nad832011northdakotasouth=6546
  nad832011northdakotasouthft=6547 nad832011ohionorth=6548 nad832011ohionorthftus=6549 nad832011ohiosouth=6550
  nad832011ohiosouthftus=6551 nad832011oklahomanorth=6552 nad832011oklahomanorthftus=6553 nad832011oklahomasouth=6554
  nad832011oklahomasouthftus=6555 nad832011oregonbakerzoneft=6787 nad832011oregonbakerzonem=6786
  nad832011oregonbendburnszoneft=6799 nad832011oregonbendburnszonem=6798 nad832011oregonbendklamathfallszoneft=6791
  nad832011oregonbendklamathfallszonem=6790 nad832011oregonbendredmondprinevillezoneft=6795
  nad832011oregonbendredmondprinevillezonem=6794 nad832011oregonburnsharperzoneft=8312
  nad832011oregonburnsharperzonem=8311 nad832011oregoncanyoncityburnszoneft=8314
  nad832011oregoncanyoncityburnszonem=8313 nad832011oregoncanyonvillegrantspasszoneft=6803
  nad832011oregoncanyonvillegrantspasszonem=6802 nad832011oregoncoastrangenorthzoneft=8316
  nad832011oregoncoastrangenorthzonem=8315 nad832011oregoncoastzoneft=6843 nad832011oregoncoastzonem=6842
  nad832011oregoncolumbiarivereastzoneft=6807 nad832011oregoncolumbiarivereastzonem=6806
  nad832011oregoncolumbiariverwestzoneft=6811 nad832011oregoncolumbiariverwestzonem=6810
  nad832011oregoncottagegrovecanyonvillezoneft=6815 nad832011oregoncottagegrovecanyonvillezonem=6814
  nad832011oregondayvilleprairiecityzoneft=8318 nad832011oregondayvilleprairiecityzonem=8317
  nad832011oregondenioburnszoneft=8320 nad832011oregondenioburnszonem=8319 nad832011oregondufurmadraszoneft=6819
  nad832011oregondufurmadraszonem=6818 nad832011oregoneugenezoneft=6823 nad832011oregoneugenezonem=6822
  nad832011oregongiclambertft=6557 nad832011oregongrantspassashlandzoneft=6827
  nad832011oregongrantspassashlandzonem=6826 nad832011oregongreshamwarmspringszoneft=6831
  nad832011oregongreshamwarmspringszonem=6830 nad832011oregonhalfwayzoneft=8322 nad832011oregonhalfwayzonem=8321
  nad832011oregonlagrandezoneft=6835 nad832011oregonlagrandezonem=6834 nad832011oregonlccm=6556
  nad832011oregonmedforddiamondlakezoneft=8324 nad832011oregonmedforddiamondlakezonem=8323
  nad832011oregonmitchellzoneft=8326 nad832011oregonmitchellzonem=8325 nad832011oregonnorth=6558
  nad832011oregonnorthcentralzoneft=8328 nad832011oregonnorthcentralzonem=8327 nad832011oregonnorthft=6559
  nad832011oregonochocosummitzoneft=8330 nad832011oregonochocosummitzonem=8329 nad832011oregonontariozoneft=6839
  nad832011oregonontariozonem=6838 nad832011oregonowyheezoneft=8332 nad832011oregonowyheezonem=8331
  nad832011oregonpendletonlagrandezoneft=6851 nad832011oregonpendletonlagrandezonem=6850
  nad832011oregonpendletonzoneft=6847 nad832011oregonpendletonzonem=6846 nad832011oregonpilotrockukiahzoneft=8334
  nad832011oregonpilotrockukiahzonem=8333 nad832011oregonportlandzoneft=6855 nad832011oregonportlandzonem=6854
  nad832011oregonprairiecitybroganzoneft=8336 nad832011oregonprairiecitybroganzonem=8335
  nad832011oregonrileylakeviewzoneft=8338 nad832011oregonrileylakeviewzonem=8337 nad832011oregonsalemzoneft=6859
  nad832011oregonsalemzonem=6858 nad832011oregonsantiampasszoneft=6863 nad832011oregonsantiampasszonem=6862
  nad832011oregonsiskiyoupasszoneft=8340 nad832011oregonsiskiyoupasszonem=8339 nad832011oregonsouth=6560
  nad832011oregonsouthft=6561 nad832011oregonukiahfoxzoneft=8342 nad832011oregonukiahfoxzonem=8341
  nad832011oregonwallowazoneft=8344 nad832011oregonwallowazonem=8343 nad832011oregonwarnerhighwayzoneft=8346
  nad832011oregonwarnerhighwayzonem=8345 nad832011oregonwillamettepasszoneft=8348
  nad832011oregonwillamettepasszonem=8347 nad832011pccszone1ft=8065 nad832011pccszone2ft=8066
  nad832011pccszone3ft=8067 nad832011pccszone4ft=8068 nad832011pennsylvanianorth=6562
  nad832011pennsylvanianorthftus=6563 nad832011pennsylvaniasouth=6564 nad832011pennsylvaniasouthftus=6565
  nad832011puertoricoandvirginis=6566 nad832011rhodeisland=6567 nad832011rhodeislandftus=6568
  nad832011rmtcrsbillingsft=7127 nad832011rmtcrsbillingsm=7117 nad832011rmtcrsblackfeetft=7120
  nad832011rmtcrsblackfeetm=7110 nad832011rmtcrsbobcatft=7126 nad832011rmtcrsbobcatm=7116 nad832011rmtcrscrowft=7125
  nad832011rmtcrscrowm=7115 nad832011rmtcrsfortbelknapft=7122 nad832011rmtcrsfortbelknapm=7112
  nad832011rmtcrsfortpeckassiniboineft=7123 nad832011rmtcrsfortpeckassiniboinem=7113
  nad832011rmtcrsfortpecksiouxft=7124 nad832011rmtcrsfortpecksiouxm=7114 nad832011rmtcrsmilkriverft=7121
  nad832011rmtcrsmilkriverm=7111 nad832011rmtcrsstmaryft=7119 nad832011rmtcrsstmarym=7109
  nad832011rmtcrswindriverftus=7128 nad832011rmtcrswindriverm=7118 nad832011sanfranciscocs13=7131
  nad832011sanfranciscocs13ftus=7132 nad832011southcarolina=6569 nad832011southcarolinaft=6570
  nad832011southdakotanorth=6571 nad832011southdakotanorthftus=6572 nad832011southdakotasouth=6573
  nad832011southdakotasouthftus=6574 nad832011tennessee=6575 nad832011tennesseeftus=6576 nad832011texascentral=6577
  nad832011texascentralftus=6578 nad832011texascentricalbersequalarea=6579 nad832011texascentriclambertconformal=6580
  nad832011texasnorth=6581 nad832011texasnorthcentral=6583 nad832011texasnorthcentralftus=6584
  nad832011texasnorthftus=6582 nad832011texassouth=6585 nad832011texassouthcentral=6587
  nad832011texassouthcentralftus=6588 nad832011texassouthftus=6586 nad832011utahcentral=6619
  nad832011utahcentralftus=6625 nad832011utahnorth=6620 nad832011utahnorthftus=6626 nad832011utahsouth=6621
  nad832011utahsouthftus=6627 nad832011utmzone10n=6339 nad832011utmzone11n=6340 nad832011utmzone12n=6341
  nad832011utmzone13n=6342 nad832011utmzone14n=6343 nad832011utmzone15n=6344 nad832011utmzone16n=6345
  nad832011utmzone17n=6346 nad832011utmzone18n=6347 nad832011utmzone19n=6348 nad832011utmzone1n=6330
  nad832011utmzone2n=6331 nad832011utmzone3n=6332 nad832011utmzone4n=6333 nad832011utmzone59n=6328
  nad832011utmzone5n=6334 nad832011utmzone60n=6329 nad832011utmzone6n=6335 nad832011utmzone7n=6336
  nad832011utmzone8n=6337 nad832011utmzone9n=6338 nad832011vermont=6589 nad832011vermontftus=6590
  nad832011virginialambert=6591 nad832011virginianorth=6592 nad832011virginianorthftus=6593
  nad832011virginiasouth=6594 nad832011virginiasouthftus=6595 nad832011washingtonnorth=6596
  nad832011washingtonnorthftus=6597 nad832011washingtonsouth=6598 nad832011washingtonsouthftus=6599
  nad832011westvirginianorth=6600 nad832011westvirginianorthftus=6601 nad832011westvirginiasouth=6602
  nad832011westvirginiasouthftus=6603 nad832011wisconsincentral=6879 nad832011wisconsincentralftus=6605
  nad832011wisconsinnorth=6606 nad832011wisconsinnorthftus=6607 nad832011wisconsinsouth=6608
  nad832011wisconsinsouthftus=6609 nad832011wisconsintransversemercator=6610 nad832011wiscrsadamsandjuneauftus=7587
  nad832011wiscrsadamsandjuneaum=7528 nad832011wiscrsashlandftus=7588 nad832011wiscrsashlandm=7529
  nad832011wiscrsbarronftus=7589 nad832011wiscrsbarronm=7530 nad832011wiscrsbayfieldftus=7590
  nad832011wiscrsbayfieldm=7531 nad832011wiscrsbrownftus=7591 nad832011wiscrsbrownm=7532
  nad832011wiscrsbuffaloftus=7592 nad832011wiscrsbuffalom=7533 nad832011wiscrsburnettftus=7593
  nad832011wiscrsburnettm=7534 nad832011wiscrscalumetfonddulacoutagamieandwinnebagoftus=7594
  nad832011wiscrscalumetfonddulacoutagamieandwinnebagom=7535 nad832011wiscrschippewaftus=7595
  nad832011wiscrschippewam=7536 nad832011wiscrsclarkftus=7596 nad832011wiscrsclarkm=7537
  nad832011wiscrscolumbiaftus=7597 nad832011wiscrscolumbiam=7538 nad832011wiscrscrawfordftus=7598
  nad832011wiscrscrawfordm=7539 nad832011wiscrsdaneftus=7599 nad832011wiscrsdanem=7540
  nad832011wiscrsdodgeandjeffersonftus=7600 nad832011wiscrsdodgeandjeffersonm=7541 nad832011wiscrsdoorftus=7601
  nad832011wiscrsdoorm=7542 nad832011wiscrsdouglasftus=7602 nad832011wiscrsdouglasm=7543 nad832011wiscrsdunnftus=7603
  nad832011wiscrsdunnm=7544 nad832011wiscrseauclaireftus=7604 nad832011wiscrseauclairem=7545
  nad832011wiscrsflorenceftus=7605 nad832011wiscrsflorencem=7546 nad832011wiscrsforestftus=7606
  nad832011wiscrsforestm=7547 nad832011wiscrsgrantftus=7607 nad832011wiscrsgrantm=7548
  nad832011wiscrsgreenandlafayetteftus=7608 nad832011wiscrsgreenandlafayettem=7549
  nad832011wiscrsgreenlakeandmarquetteftus=7609 nad832011wiscrsgreenlakeandmarquettem=7550
  nad832011wiscrsiowaftus=7610 nad832011wiscrsiowam=7551 nad832011wiscrsironftus=7611 nad832011wiscrsironm=7552
  nad832011wiscrsjacksonftus=7612 nad832011wiscrsjacksonm=7553
  nad832011wiscrskenoshamilwaukeeozaukeeandracineftus=7613 nad832011wiscrskenoshamilwaukeeozaukeeandracinem=7554
  nad832011wiscrskewauneemanitowocandsheboyganftus=7614 nad832011wiscrskewauneemanitowocandsheboyganm=7555
  nad832011wiscrslacrosseftus=7615 nad832011wiscrslacrossem=7556 nad832011wiscrslangladeftus=7616
  nad832011wiscrslangladem=7557 nad832011wiscrslincolnftus=7617 nad832011wiscrslincolnm=7558
  nad832011wiscrsmarathonftus=7618 nad832011wiscrsmarathonm=7559 nad832011wiscrsmarinetteftus=7619
  nad832011wiscrsmarinettem=7560 nad832011wiscrsmenomineeftus=7620 nad832011wiscrsmenomineem=7561
  nad832011wiscrsmonroeftus=7621 nad832011wiscrsmonroem=7562 nad832011wiscrsocontoftus=7622
  nad832011wiscrsocontom=7563 nad832011wiscrsoneidaftus=7623 nad832011wiscrsoneidam=7564
  nad832011wiscrspepinandpierceftus=7624 nad832011wiscrspepinandpiercem=7565 nad832011wiscrspolkftus=7625
  nad832011wiscrspolkm=7566 nad832011wiscrsportageftus=7626 nad832011wiscrsportagem=7567 nad832011wiscrspriceftus=7627
  nad832011wiscrspricem=7568 nad832011wiscrsrichlandftus=7628 nad832011wiscrsrichlandm=7569
  nad832011wiscrsrockftus=7629 nad832011wiscrsrockm=7570 nad832011wiscrsruskftus=7630 nad832011wiscrsruskm=7571
  nad832011wiscrssaukftus=7631 nad832011wiscrssaukm=7572 nad832011wiscrssawyerftus=7632 nad832011wiscrssawyerm=7573
  nad832011wiscrsshawanoftus=7633 nad832011wiscrsshawanom=7574 nad832011wiscrsstcroixftus=7634
  nad832011wiscrsstcroixm=7575 nad832011wiscrstaylorftus=7635 nad832011wiscrstaylorm=7576
  nad832011wiscrstrempealeauftus=7636 nad832011wiscrstrempealeaum=7577 nad832011wiscrsvernonftus=7637
  nad832011wiscrsvernonm=7578 nad832011wiscrsvilasftus=7638 nad832011wiscrsvilasm=7579
  nad832011wiscrswalworthftus=7639 nad832011wiscrswalworthm=7580 nad832011wiscrswashburnftus=7640
  nad832011wiscrswashburnm=7581 nad832011wiscrswashingtonftus=7641 nad832011wiscrswashingtonm=7582
  nad832011wiscrswaukeshaftus=7642 nad832011wiscrswaukesham=7583 nad832011wiscrswaupacaftus=7643
  nad832011wiscrswaupacam=7584 nad832011wiscrswausharaftus=7644 nad832011wiscrswausharam=7585
  nad832011wiscrswoodftus=7645 nad832011wiscrswoodm=7586 nad832011wyomingeast=6611 nad832011wyomingeastcentral=6613
  nad832011wyomingeastcentralftus=6614 nad832011wyomingeastftus=6612 nad832011wyomingwest=6615
  nad832011wyomingwestcentral=6617 nad832011wyomingwestcentralftus=6618 nad832011wyomingwestftus=6616
  nad83alabamaeast=26929 nad83alabamawest=26930 nad83alaskaalbers=3338 nad83alaskazone1=26931 nad83alaskazone10=26940
  nad83alaskazone2=26932 nad83alaskazone3=26933 nad83alaskazone4=26934 nad83alaskazone5=26935 nad83alaskazone6=26936
  nad83alaskazone7=26937 nad83alaskazone8=26938 nad83alaskazone9=26939 nad83alberta10tmforest=3400
  nad83alberta10tmresource=3401 nad83alberta3tmrefmerid111w=3775 nad83alberta3tmrefmerid114w=3776
  nad83alberta3tmrefmerid117w=3777 nad83alberta3tmrefmerid120w=3801 nad83arizonacentral=26949
  nad83arizonacentralft=2223 nad83arizonaeast=26948 nad83arizonaeastft=2222 nad83arizonawest=26950
  nad83arizonawestft=2224 nad83arkansasnorth=26951 nad83arkansasnorthftus=3433 nad83arkansassouth=26952
  nad83arkansassouthftus=3434 nad83bcalbers=3005 nad83blm10nftus=4430 nad83blm11nftus=4431 nad83blm12nftus=4432
  nad83blm13nftus=4433 nad83blm14nftus=32164 nad83blm15nftus=32165 nad83blm16nftus=32166 nad83blm17nftus=32167
  nad83blm18nftus=4438 nad83blm19nftus=4439 nad83blm1nftus=4421 nad83blm2nftus=4422 nad83blm3nftus=4423
  nad83blm4nftus=4424 nad83blm59nftus=4217 nad83blm5nftus=4425 nad83blm60nftus=4420 nad83blm6nftus=4426
  nad83blm7nftus=4427 nad83blm8nftus=4428 nad83blm9nftus=4429 nad83californiaalbers=3310 nad83californiazone1=26941
  nad83californiazone1ftus=2225 nad83californiazone2=26942 nad83californiazone2ftus=2226 nad83californiazone3=26943
  nad83californiazone3ftus=2227 nad83californiazone4=26944 nad83californiazone4ftus=2228 nad83californiazone5=26945
  nad83californiazone5ftus=2229 nad83californiazone6=26946 nad83californiazone6ftus=2230 nad83canadaatlaslambert=3978
  nad83coloradocentral=26954 nad83coloradocentralftus=2232 nad83coloradonorth=26953 nad83coloradonorthftus=2231
  nad83coloradosouth=26955 nad83coloradosouthftus=2233 nad83connecticut=26956 nad83connecticutftus=2234
  nad83conusalbers=5070 nad83cors96=6783 nad83cors96oregonbakerzoneft=6785 nad83cors96oregonbakerzonem=6784
  nad83cors96oregonbendburnszoneft=6797 nad83cors96oregonbendburnszonem=6796
  nad83cors96oregonbendklamathfallszoneft=6789 nad83cors96oregonbendklamathfallszonem=6788
  nad83cors96oregonbendredmondprinevillezoneft=6793 nad83cors96oregonbendredmondprinevillezonem=6792
  nad83cors96oregoncanyonvillegrantspasszoneft=6801 nad83cors96oregoncanyonvillegrantspasszonem=6800
  nad83cors96oregoncoastzoneft=6841 nad83cors96oregoncoastzonem=6840 nad83cors96oregoncolumbiarivereastzoneft=6805
  nad83cors96oregoncolumbiarivereastzonem=6804 nad83cors96oregoncolumbiariverwestzoneft=6809
  nad83cors96oregoncolumbiariverwestzonem=6808 nad83cors96oregoncottagegrovecanyonvillezoneft=6813
  nad83cors96oregoncottagegrovecanyonvillezonem=6812 nad83cors96oregondufurmadraszoneft=6817
  nad83cors96oregondufurmadraszonem=6816 nad83cors96oregoneugenezoneft=6821 nad83cors96oregoneugenezonem=6820
  nad83cors96oregongiclambertft=6868 nad83cors96oregongrantspassashlandzoneft=6825
  nad83cors96oregongrantspassashlandzonem=6824 nad83cors96oregongreshamwarmspringszoneft=6829
  nad83cors96oregongreshamwarmspringszonem=6828 nad83cors96oregonlagrandezoneft=6833
  nad83cors96oregonlagrandezonem=6832 nad83cors96oregonlccm=6867 nad83cors96oregonnorth=6884
  nad83cors96oregonnorthft=6885 nad83cors96oregonontariozoneft=6837 nad83cors96oregonontariozonem=6836
  nad83cors96oregonpendletonlagrandezoneft=6849 nad83cors96oregonpendletonlagrandezonem=6848
  nad83cors96oregonpendletonzoneft=6845 nad83cors96oregonpendletonzonem=6844 nad83cors96oregonportlandzoneft=6853
  nad83cors96oregonportlandzonem=6852 nad83cors96oregonsalemzoneft=6857 nad83cors96oregonsalemzonem=6856
  nad83cors96oregonsantiampasszoneft=6861 nad83cors96oregonsantiampasszonem=6860 nad83cors96oregonsouth=6886
  nad83cors96oregonsouthft=6887 nad83cors96puertoricoandvirginis=6307 nad83csrs=4617 nad83csrs3d=4617 nad83csrs96=8232
  nad83csrs963d=8232 nad83csrs98=4140 nad83csrs98mtmzone10=2147 nad83csrs98mtmzone3=2140 nad83csrs98mtmzone4=2141
  nad83csrs98mtmzone5=2142 nad83csrs98mtmzone6=2143 nad83csrs98mtmzone7=2144 nad83csrs98mtmzone8=2145
  nad83csrs98mtmzone9=2146 nad83csrs98newbrunswickstereo=2036 nad83csrs98princeedwardislstereographicnad83=2291
  nad83csrs98scopqzone2=2139 nad83csrs98utmzone11n=2153 nad83csrs98utmzone12n=2152 nad83csrs98utmzone13n=2151
  nad83csrs98utmzone17n=2150 nad83csrs98utmzone18n=2149 nad83csrs98utmzone19n=2037 nad83csrs98utmzone20n=2038
  nad83csrs98utmzone21n=2148 nad83csrsalberta10tmforest=3402 nad83csrsalberta10tmresource=3403
  nad83csrsalberta3tmrefmerid111w=3779 nad83csrsalberta3tmrefmerid114w=3780 nad83csrsalberta3tmrefmerid117w=3781
  nad83csrsalberta3tmrefmerid120w=3802 nad83csrsbcalbers=3153 nad83csrscanadaatlaslambert=3979
  nad83csrsepsgarcticzone123=6098 nad83csrsepsgarcticzone214=6099 nad83csrsepsgarcticzone216=6100
  nad83csrsepsgarcticzone325=6101 nad83csrsepsgarcticzone327=6102 nad83csrsepsgarcticzone329=6103
  nad83csrsepsgarcticzone414=6104 nad83csrsepsgarcticzone416=6105 nad83csrsepsgarcticzone418=6106
  nad83csrsepsgarcticzone533=6107 nad83csrsepsgarcticzone535=6108 nad83csrsepsgarcticzone537=6109
  nad83csrsepsgarcticzone539=6110 nad83csrsepsgarcticzone618=6111 nad83csrsepsgarcticzone620=6112
  nad83csrsepsgarcticzone622=6113 nad83csrsepsgarcticzone624=6114 nad83csrsmtmzone1=26898 nad83csrsmtmzone10=2952
  nad83csrsmtmzone11=26891 nad83csrsmtmzone12=26892 nad83csrsmtmzone13=26893 nad83csrsmtmzone14=26894
  nad83csrsmtmzone15=26895 nad83csrsmtmzone16=26896 nad83csrsmtmzone17=26897 nad83csrsmtmzone2=26899
  nad83csrsmtmzone3=2945 nad83csrsmtmzone4=2946 nad83csrsmtmzone5=2947 nad83csrsmtmzone6=2948 nad83csrsmtmzone7=2949
  nad83csrsmtmzone8=2950 nad83csrsmtmzone9=2951 nad83csrsmtqlambert=3799 nad83csrsnewbrunswickstereographic=2953
  nad83csrsnwtlambert=3581 nad83csrsontariomnrlambert=3162 nad83csrsprinceedwardislstereographicnad83=2954
  nad83csrsquebecalbers=6624 nad83csrsquebeclambert=6622 nad83csrsscopqzone2=2944
  nad83csrsstatisticscanadalambert=3348 nad83csrsteranetontariolambert=5321 nad83csrsutmzone10n=3157
  nad83csrsutmzone11n=2955 nad83csrsutmzone12n=2956 nad83csrsutmzone13n=2957 nad83csrsutmzone14n=3158
  nad83csrsutmzone15n=3159 nad83csrsutmzone16n=3160 nad83csrsutmzone17n=2958 nad83csrsutmzone18n=2959
  nad83csrsutmzone19n=2960 nad83csrsutmzone20n=2961 nad83csrsutmzone21n=2962 nad83csrsutmzone22n=3761
  nad83csrsutmzone23n=9709 nad83csrsutmzone24n=9713 nad83csrsutmzone7n=3154 nad83csrsutmzone8n=3155
  nad83csrsutmzone9n=3156 nad83csrsv2=8237 nad83csrsv23d=8237 nad83csrsv2alberta3tmrefmerid111w=22262
  nad83csrsv2alberta3tmrefmerid114w=22263 nad83csrsv2alberta3tmrefmerid117w=22264
  nad83csrsv2alberta3tmrefmerid120w=22265 nad83csrsv2nbstereographic=22240 nad83csrsv2peistereographic=22239
  nad83csrsv2scopqzone10=22250 nad83csrsv2scopqzone3=22243 nad83csrsv2scopqzone4=22244 nad83csrsv2scopqzone5=22245
  nad83csrsv2scopqzone6=22246 nad83csrsv2scopqzone7=22247 nad83csrsv2scopqzone8=22248 nad83csrsv2scopqzone9=22249
  nad83csrsv2utmzone10n=22210 nad83csrsv2utmzone11n=22211 nad83csrsv2utmzone12n=22212 nad83csrsv2utmzone13n=22213
  nad83csrsv2utmzone14n=22214 nad83csrsv2utmzone15n=22215 nad83csrsv2utmzone16n=22216 nad83csrsv2utmzone17n=22217
  nad83csrsv2utmzone18n=22218 nad83csrsv2utmzone19n=22219 nad83csrsv2utmzone20n=22220 nad83csrsv2utmzone21n=22221
  nad83csrsv2utmzone22n=22222 nad83csrsv2utmzone7n=22207 nad83csrsv2utmzone8n=22208 nad83csrsv2utmzone9n=22209
  nad83csrsv3=8240 nad83csrsv33d=8240 nad83csrsv3mtmns1997zone4=22338 nad83csrsv3mtmns1997zone5=22337
  nad83csrsv3mtmzone10=22350 nad83csrsv3mtmzone11=22351 nad83csrsv3mtmzone12=22352 nad83csrsv3mtmzone13=22353
  nad83csrsv3mtmzone14=22354 nad83csrsv3mtmzone15=22355 nad83csrsv3mtmzone16=22356 nad83csrsv3mtmzone17=22357
  nad83csrsv3mtmzone8=22348 nad83csrsv3mtmzone9=22349 nad83csrsv3utmzone10n=22310 nad83csrsv3utmzone11n=22311
  nad83csrsv3utmzone12n=22312 nad83csrsv3utmzone13n=22313 nad83csrsv3utmzone14n=22314 nad83csrsv3utmzone15n=22315
  nad83csrsv3utmzone16n=22316 nad83csrsv3utmzone17n=22317 nad83csrsv3utmzone18n=22318 nad83csrsv3utmzone19n=22319
  nad83csrsv3utmzone20n=22320 nad83csrsv3utmzone21n=22321 nad83csrsv3utmzone22n=22322 nad83csrsv3utmzone7n=22307
  nad83csrsv3utmzone8n=22308 nad83csrsv3utmzone9n=22309 nad83csrsv4=8246 nad83csrsv43d=8246
  nad83csrsv4alberta3tmrefmerid111w=22462 nad83csrsv4alberta3tmrefmerid114w=22463
  nad83csrsv4alberta3tmrefmerid117w=22464 nad83csrsv4alberta3tmrefmerid120w=22465 nad83csrsv4utmzone10n=22410
  nad83csrsv4utmzone11n=22411 nad83csrsv4utmzone12n=22412 nad83csrsv4utmzone13n=22413 nad83csrsv4utmzone14n=22414
  nad83csrsv4utmzone15n=22415 nad83csrsv4utmzone16n=22416 nad83csrsv4utmzone17n=22417 nad83csrsv4utmzone18n=22418
  nad83csrsv4utmzone19n=22419 nad83csrsv4utmzone20n=22420 nad83csrsv4utmzone21n=22421 nad83csrsv4utmzone22n=22422
  nad83csrsv4utmzone7n=22407 nad83csrsv4utmzone8n=22408 nad83csrsv4utmzone9n=22409 nad83csrsv5=8249 nad83csrsv53d=8249
  nad83csrsv6=8252 nad83csrsv63d=8252 nad83csrsv6mtmns2010zone4=8082 nad83csrsv6mtmns2010zone5=8083
  nad83csrsv6mtmzone1=22641 nad83csrsv6mtmzone10=22650 nad83csrsv6mtmzone11=22651 nad83csrsv6mtmzone12=22652
  nad83csrsv6mtmzone13=22653 nad83csrsv6mtmzone14=22654 nad83csrsv6mtmzone15=22655 nad83csrsv6mtmzone16=22656
  nad83csrsv6mtmzone17=22657 nad83csrsv6mtmzone2=22642 nad83csrsv6mtmzone3=22643 nad83csrsv6mtmzone4=22644
  nad83csrsv6mtmzone5=22645 nad83csrsv6mtmzone6=22646 nad83csrsv6mtmzone8=22648 nad83csrsv6mtmzone9=22649
  nad83csrsv6peistereographic=22639 nad83csrsv6utmzone10n=22610 nad83csrsv6utmzone11n=22611
  nad83csrsv6utmzone12n=22612 nad83csrsv6utmzone13n=22613 nad83csrsv6utmzone14n=22614 nad83csrsv6utmzone15n=22615
  nad83csrsv6utmzone16n=22616 nad83csrsv6utmzone17n=22617 nad83csrsv6utmzone18n=22618 nad83csrsv6utmzone19n=22619
  nad83csrsv6utmzone20n=22620 nad83csrsv6utmzone21n=22621 nad83csrsv6utmzone22n=22622 nad83csrsv6utmzone7n=22607
  nad83csrsv6utmzone8n=22608 nad83csrsv6utmzone9n=22609 nad83csrsv7=8255 nad83csrsv73d=8255
  nad83csrsv7alberta3tmrefmerid111w=22762 nad83csrsv7alberta3tmrefmerid114w=22763
  nad83csrsv7alberta3tmrefmerid117w=22764 nad83csrsv7alberta3tmrefmerid120w=22765 nad83csrsv7peistereographic=22739
  nad83csrsv7utmzone10n=22710 nad83csrsv7utmzone11n=22711 nad83csrsv7utmzone12n=22712 nad83csrsv7utmzone13n=22713
  nad83csrsv7utmzone14n=22714 nad83csrsv7utmzone15n=22715 nad83csrsv7utmzone16n=22716 nad83csrsv7utmzone17n=22717
  nad83csrsv7utmzone18n=22718 nad83csrsv7utmzone19n=22719 nad83csrsv7utmzone20n=22720 nad83csrsv7utmzone21n=22721
  nad83csrsv7utmzone22n=22722 nad83csrsv7utmzone7n=22707 nad83csrsv7utmzone8n=22708 nad83csrsv7utmzone9n=22709
  nad83csrsyukonalbers=3579 nad83delaware=26957 nad83delawareftus=2235 nad83fbn=8860 nad83floridaeast=26958
  nad83floridaeastftus=2236 nad83floridagdlalbers=3086 nad83floridanorth=26960 nad83floridanorthftus=2238
  nad83floridawest=26959 nad83floridawestftus=2237 nad83georgiaeast=26966 nad83georgiaeastftus=2239
  nad83georgiawest=26967 nad83georgiawestftus=2240 nad83greatlakesalbers=3174 nad83greatlakesandstlawrencealbers=3175
  nad83harn=4152 nad83harn3d=4152 nad83harnalabamaeast=2759 nad83harnalabamawest=2760 nad83harnarizonacentral=2762
  nad83harnarizonacentralft=2868 nad83harnarizonaeast=2761 nad83harnarizonaeastft=2867 nad83harnarizonawest=2763
  nad83harnarizonawestft=2869 nad83harnarkansasnorth=2764 nad83harnarkansasnorthftus=3441 nad83harnarkansassouth=2765
  nad83harnarkansassouthftus=3442 nad83harncaliforniaalbers=3311 nad83harncaliforniazone1=2766
  nad83harncaliforniazone1ftus=2870 nad83harncaliforniazone2=2767 nad83harncaliforniazone2ftus=2871
  nad83harncaliforniazone3=2768 nad83harncaliforniazone3ftus=2872 nad83harncaliforniazone4=2769
  nad83harncaliforniazone4ftus=2873 nad83harncaliforniazone5=2770 nad83harncaliforniazone5ftus=2874
  nad83harncaliforniazone6=2771 nad83harncaliforniazone6ftus=2875 nad83harncoloradocentral=2773
  nad83harncoloradocentralftus=2877 nad83harncoloradonorth=2772 nad83harncoloradonorthftus=2876
  nad83harncoloradosouth=2774 nad83harncoloradosouthftus=2878 nad83harnconnecticut=2775 nad83harnconnecticutftus=2879
  nad83harnconusalbers=5071 nad83harncorrected=8545 nad83harndelaware=2776 nad83harndelawareftus=2880
  nad83harnfloridaeast=2777 nad83harnfloridaeastftus=2881 nad83harnfloridagdlalbers=3087 nad83harnfloridanorth=2779
  nad83harnfloridanorthftus=2883 nad83harnfloridawest=2778 nad83harnfloridawestftus=2882 nad83harngeorgiaeast=2780
  nad83harngeorgiaeastftus=2884 nad83harngeorgiawest=2781 nad83harngeorgiawestftus=2885 nad83harnguammapgrid=4414
  nad83harnhawaiizone1=2782 nad83harnhawaiizone2=2783 nad83harnhawaiizone3=2784 nad83harnhawaiizone3ftus=3760
  nad83harnhawaiizone4=2785 nad83harnhawaiizone5=2786 nad83harnidahocentral=2788 nad83harnidahocentralftus=2887
  nad83harnidahoeast=2787 nad83harnidahoeastftus=2886 nad83harnidahowest=2789 nad83harnidahowestftus=2888
  nad83harnillinoiseast=2790 nad83harnillinoiseastftus=3443 nad83harnillinoiswest=2791 nad83harnillinoiswestftus=3444
  nad83harnindianaeast=2792 nad83harnindianaeastftus=2967 nad83harnindianawest=2793 nad83harnindianawestftus=2968
  nad83harniowanorth=2794 nad83harniowanorthftus=3425 nad83harniowasouth=2795 nad83harniowasouthftus=3426
  nad83harnkansasnorth=2796 nad83harnkansasnorthftus=3427 nad83harnkansassouth=2797 nad83harnkansassouthftus=3428
  nad83harnkentuckynorth=2798 nad83harnkentuckynorthftus=2891 nad83harnkentuckysinglezone=3090
  nad83harnkentuckysinglezoneftus=3091 nad83harnkentuckysouth=2799 nad83harnkentuckysouthftus=2892
  nad83harnlouisiananorth=2800 nad83harnlouisiananorthftus=3456 nad83harnlouisianasouth=2801
  nad83harnlouisianasouthftus=3457 nad83harnmainecs2000central=3464 nad83harnmainecs2000east=3075
  nad83harnmainecs2000west=3077 nad83harnmaineeast=2802 nad83harnmaineeastftus=26855 nad83harnmainewest=2803
  nad83harnmainewestftus=26856 nad83harnmaryland=2804 nad83harnmarylandftus=2893 nad83harnmassachusettsisland=2806
  nad83harnmassachusettsislandftus=2895 nad83harnmassachusettsmainland=2805 nad83harnmassachusettsmainlandftus=2894
  nad83harnmichigancentral=2808 nad83harnmichigancentralft=2897 nad83harnmichigannorth=2807
  nad83harnmichigannorthft=2896 nad83harnmichiganobliquemercator=3079 nad83harnmichigansouth=2809
  nad83harnmichigansouthft=2898 nad83harnminnesotacentral=2811 nad83harnminnesotacentralftus=26858
  nad83harnminnesotanorth=2810 nad83harnminnesotanorthftus=26857 nad83harnminnesotasouth=2812
  nad83harnminnesotasouthftus=26859 nad83harnmississippieast=2813 nad83harnmississippieastftus=2899
  nad83harnmississippitm=3815 nad83harnmississippiwest=2814 nad83harnmississippiwestftus=2900
  nad83harnmissouricentral=2816 nad83harnmissourieast=2815 nad83harnmissouriwest=2817 nad83harnmontana=2818
  nad83harnmontanaft=2901 nad83harnnebraska=2819 nad83harnnebraskaftus=26860 nad83harnnevadacentral=2821
  nad83harnnevadacentralftus=3430 nad83harnnevadaeast=2820 nad83harnnevadaeastftus=3429 nad83harnnevadawest=2822
  nad83harnnevadawestftus=3431 nad83harnnewhampshire=2823 nad83harnnewhampshireftus=3445 nad83harnnewjersey=2824
  nad83harnnewjerseyftus=3432 nad83harnnewmexicocentral=2826 nad83harnnewmexicocentralftus=2903
  nad83harnnewmexicoeast=2825 nad83harnnewmexicoeastftus=2902 nad83harnnewmexicowest=2827
  nad83harnnewmexicowestftus=2904 nad83harnnewyorkcentral=2829 nad83harnnewyorkcentralftus=2906
  nad83harnnewyorkeast=2828 nad83harnnewyorkeastftus=2905 nad83harnnewyorklongisland=2831
  nad83harnnewyorklongislandftus=2908 nad83harnnewyorkwest=2830 nad83harnnewyorkwestftus=2907
  nad83harnnorthcarolina=3358 nad83harnnorthcarolinaftus=3404 nad83harnnorthdakotanorth=2832
  nad83harnnorthdakotanorthft=2909 nad83harnnorthdakotasouth=2833 nad83harnnorthdakotasouthft=2910
  nad83harnohionorth=2834 nad83harnohionorthftus=3753 nad83harnohiosouth=2835 nad83harnohiosouthftus=3754
  nad83harnoklahomanorth=2836 nad83harnoklahomanorthftus=2911 nad83harnoklahomasouth=2837
  nad83harnoklahomasouthftus=2912 nad83harnoregongiclambertft=2994 nad83harnoregonlccm=2993 nad83harnoregonnorth=2838
  nad83harnoregonnorthft=2913 nad83harnoregonsouth=2839 nad83harnoregonsouthft=2914 nad83harnpennsylvanianorth=3362
  nad83harnpennsylvanianorthftus=3363 nad83harnpennsylvaniasouth=3364 nad83harnpennsylvaniasouthftus=3365
  nad83harnpuertoricoandvirginis=2866 nad83harnrhodeisland=2840 nad83harnrhodeislandftus=3446
  nad83harnsouthcarolina=3360 nad83harnsouthcarolinaft=3361 nad83harnsouthdakotanorth=2841
  nad83harnsouthdakotanorthftus=3458 nad83harnsouthdakotasouth=2842 nad83harnsouthdakotasouthftus=3459
  nad83harntennessee=2843 nad83harntennesseeftus=2915 nad83harntexascentral=2846 nad83harntexascentralftus=2918
  nad83harntexascentricalbersequalarea=3085 nad83harntexascentriclambertconformal=3084 nad83harntexasnorth=2844
  nad83harntexasnorthcentral=2845 nad83harntexasnorthcentralftus=2917 nad83harntexasnorthftus=2916
  nad83harntexassouth=2848 nad83harntexassouthcentral=2847 nad83harntexassouthcentralftus=2919
  nad83harntexassouthftus=2920 nad83harnutahcentral=2850 nad83harnutahcentralft=2922 nad83harnutahcentralftus=3569
  nad83harnutahnorth=2849 nad83harnutahnorthft=2921 nad83harnutahnorthftus=3568 nad83harnutahsouth=2851
  nad83harnutahsouthft=2923 nad83harnutahsouthftus=3570 nad83harnutmzone10n=3740 nad83harnutmzone11n=3741
  nad83harnutmzone12n=3742 nad83harnutmzone13n=3743 nad83harnutmzone14n=3744 nad83harnutmzone15n=3745
  nad83harnutmzone16n=3746 nad83harnutmzone17n=3747 nad83harnutmzone18n=3748 nad83harnutmzone19n=3749
  nad83harnutmzone2s=2195 nad83harnutmzone4n=3750 nad83harnutmzone59s=2156 nad83harnutmzone5n=3751
  nad83harnvermont=2852 nad83harnvermontftus=5654 nad83harnvirginialambert=3969 nad83harnvirginianorth=2853
  nad83harnvirginianorthftus=2924 nad83harnvirginiasouth=2854 nad83harnvirginiasouthftus=2925
  nad83harnwashingtonnorth=2855 nad83harnwashingtonnorthftus=2926 nad83harnwashingtonsouth=2856
  nad83harnwashingtonsouthftus=2927 nad83harnwestvirginianorth=2857 nad83harnwestvirginianorthftus=26861
  nad83harnwestvirginiasouth=2858 nad83harnwestvirginiasouthftus=26862 nad83harnwisconsincentral=2860
  nad83harnwisconsincentralftus=2929 nad83harnwisconsinnorth=2859 nad83harnwisconsinnorthftus=2928
  nad83harnwisconsinsouth=2861 nad83harnwisconsinsouthftus=2930 nad83harnwisconsintransversemercator=3071
  nad83harnwiscrsadamsandjuneauftus=8226 nad83harnwiscrsadamsandjuneaum=8225 nad83harnwiscrsashlandftus=8224
  nad83harnwiscrsashlandm=8222 nad83harnwiscrsbarronftus=8220 nad83harnwiscrsbarronm=8218
  nad83harnwiscrsbayfieldftus=8216 nad83harnwiscrsbayfieldm=8214 nad83harnwiscrsbrownftus=8213
  nad83harnwiscrsbrownm=8212 nad83harnwiscrsbuffaloftus=8210 nad83harnwiscrsbuffalom=8209
  nad83harnwiscrsburnettftus=8208 nad83harnwiscrsburnettm=8207
  nad83harnwiscrscalumetfonddulacoutagamieandwinnebagoftus=8206
  nad83harnwiscrscalumetfonddulacoutagamieandwinnebagom=8205 nad83harnwiscrschippewaftus=8204
  nad83harnwiscrschippewam=8203 nad83harnwiscrsclarkftus=8202 nad83harnwiscrsclarkm=8201
  nad83harnwiscrscolumbiaftus=8200 nad83harnwiscrscolumbiam=8198 nad83harnwiscrscrawfordftus=8197
  nad83harnwiscrscrawfordm=8196 nad83harnwiscrsdaneftus=8193 nad83harnwiscrsdanem=8191
  nad83harnwiscrsdodgeandjeffersonftus=8189 nad83harnwiscrsdodgeandjeffersonm=8187 nad83harnwiscrsdoorftus=8185
  nad83harnwiscrsdoorm=8184 nad83harnwiscrsdouglasftus=8182 nad83harnwiscrsdouglasm=8181 nad83harnwiscrsdunnftus=8180
  nad83harnwiscrsdunnm=8179 nad83harnwiscrseauclaireftus=8093 nad83harnwiscrseauclairem=8092
  nad83harnwiscrsflorenceftus=8091 nad83harnwiscrsflorencem=8090 nad83harnwiscrsforestftus=8177
  nad83harnwiscrsforestm=8173 nad83harnwiscrsgrantftus=8172 nad83harnwiscrsgrantm=8171
  nad83harnwiscrsgreenandlafayetteftus=8170 nad83harnwiscrsgreenandlafayettem=8169
  nad83harnwiscrsgreenlakeandmarquetteftus=8168 nad83harnwiscrsgreenlakeandmarquettem=8167
  nad83harnwiscrsiowaftus=8166 nad83harnwiscrsiowam=8165 nad83harnwiscrsironftus=8164 nad83harnwiscrsironm=8163
  nad83harnwiscrsjacksonftus=8162 nad83harnwiscrsjacksonm=8161
  nad83harnwiscrskenoshamilwaukeeozaukeeandracineftus=8160 nad83harnwiscrskenoshamilwaukeeozaukeeandracinem=8159
  nad83harnwiscrskewauneemanitowocandsheboyganftus=8158 nad83harnwiscrskewauneemanitowocandsheboyganm=8157
  nad83harnwiscrslacrosseftus=8156 nad83harnwiscrslacrossem=8155 nad83harnwiscrslangladeftus=8154
  nad83harnwiscrslangladem=8153 nad83harnwiscrslincolnftus=8152 nad83harnwiscrslincolnm=8151
  nad83harnwiscrsmarathonftus=8150 nad83harnwiscrsmarathonm=8149 nad83harnwiscrsmarinetteftus=8148
  nad83harnwiscrsmarinettem=8147 nad83harnwiscrsmenomineeftus=8146 nad83harnwiscrsmenomineem=8145
  nad83harnwiscrsmonroeftus=8144 nad83harnwiscrsmonroem=8143 nad83harnwiscrsocontoftus=8142
  nad83harnwiscrsocontom=8141 nad83harnwiscrsoneidaftus=8140 nad83harnwiscrsoneidam=8139
  nad83harnwiscrspepinandpierceftus=8138 nad83harnwiscrspepinandpiercem=8137 nad83harnwiscrspolkftus=8136
  nad83harnwiscrspolkm=8135 nad83harnwiscrsportageftus=8134 nad83harnwiscrsportagem=8133 nad83harnwiscrspriceftus=8132
  nad83harnwiscrspricem=8131 nad83harnwiscrsrichlandftus=8130 nad83harnwiscrsrichlandm=8129
  nad83harnwiscrsrockftus=8128 nad83harnwiscrsrockm=8127 nad83harnwiscrsruskftus=8126 nad83harnwiscrsruskm=8125
  nad83harnwiscrssaukftus=8124 nad83harnwiscrssaukm=8123 nad83harnwiscrssawyerftus=8122 nad83harnwiscrssawyerm=8121
  nad83harnwiscrsshawanoftus=8120 nad83harnwiscrsshawanom=8119 nad83harnwiscrsstcroixftus=8118
  nad83harnwiscrsstcroixm=8117 nad83harnwiscrstaylorftus=8116 nad83harnwiscrstaylorm=8115
  nad83harnwiscrstrempealeauftus=8114 nad83harnwiscrstrempealeaum=8113 nad83harnwiscrsvernonftus=8112
  nad83harnwiscrsvernonm=8111 nad83harnwiscrsvilasftus=8110 nad83harnwiscrsvilasm=8109
  nad83harnwiscrswalworthftus=8108 nad83harnwiscrswalworthm=8107 nad83harnwiscrswashburnftus=8106
  nad83harnwiscrswashburnm=8105 nad83harnwiscrswashingtonftus=8104 nad83harnwiscrswashingtonm=8103
  nad83harnwiscrswaukeshaftus=8102 nad83harnwiscrswaukesham=8101 nad83harnwiscrswaupacaftus=8100
  nad83harnwiscrswaupacam=8099 nad83harnwiscrswausharaftus=8098 nad83harnwiscrswausharam=8097
  nad83harnwiscrswoodftus=8096 nad83harnwiscrswoodm=8095 nad83harnwyomingeast=2862 nad83harnwyomingeastcentral=2863
  nad83harnwyomingeastcentralftus=3756 nad83harnwyomingeastftus=3755 nad83harnwyomingwest=2865
  nad83harnwyomingwestcentral=2864 nad83harnwyomingwestcentralftus=3757 nad83harnwyomingwestftus=3758
  nad83hawaiizone1=26961 nad83hawaiizone2=26962 nad83hawaiizone3=26963 nad83hawaiizone3ftus=3759
  nad83hawaiizone4=26964 nad83hawaiizone5=26965 nad83idahocentral=26969 nad83idahocentralftus=2242
  nad83idahoeast=26968 nad83idahoeastftus=2241 nad83idahotransversemercator=8826 nad83idahowest=26970
  nad83idahowestftus=2243 nad83illinoiseast=26971 nad83illinoiseastftus=3435 nad83illinoiswest=26972
  nad83illinoiswestftus=3436 nad83indianaeast=26973 nad83indianaeastftus=2965 nad83indianawest=26974
  nad83indianawestftus=2966 nad83iowanorth=26975 nad83iowanorthftus=3417 nad83iowasouth=26976 nad83iowasouthftus=3418
  nad83kansaslcc=6922 nad83kansaslccftus=6923 nad83kansasnorth=26977 nad83kansasnorthftus=3419 nad83kansassouth=26978
  nad83kansassouthftus=3420 nad83kentuckynorth=2205 nad83kentuckynorthftus=2246 nad83kentuckysinglezone=3088
  nad83kentuckysinglezoneftus=3089 nad83kentuckysouth=26980 nad83kentuckysouthftus=2247 nad83louisiananorth=26981
  nad83louisiananorthftus=3451 nad83louisianaoffshore=32199 nad83louisianaoffshoreftus=3453 nad83louisianasouth=26982
  nad83louisianasouthftus=3452 nad83ma11=6325 nad83ma11guammapgrid=6637 nad83ma11utmzone54n=8692
  nad83ma11utmzone55n=8693 nad83mainecs2000central=3463 nad83mainecs2000east=3072 nad83mainecs2000west=3074
  nad83maineeast=26983 nad83maineeastftus=26847 nad83mainewest=26984 nad83mainewestftus=26848 nad83marp00=9072
  nad83maryland=26985 nad83marylandftus=2248 nad83massachusettsisland=26987 nad83massachusettsislandftus=2250
  nad83massachusettsmainland=26986 nad83massachusettsmainlandftus=2249 nad83michigancentral=26989
  nad83michigancentralft=2252 nad83michigannorth=26988 nad83michigannorthft=2251 nad83michiganobliquemercator=3078
  nad83michigansouth=26990 nad83michigansouthft=2253 nad83minnesotacentral=26992 nad83minnesotacentralftus=26850
  nad83minnesotanorth=26991 nad83minnesotanorthftus=26849 nad83minnesotasouth=26993 nad83minnesotasouthftus=26851
  nad83mississippieast=26994 nad83mississippieastftus=2254 nad83mississippitm=3814 nad83mississippiwest=26995
  nad83mississippiwestftus=2255 nad83missouricentral=26997 nad83missourieast=26996 nad83missouriwest=26998
  nad83montana=32100 nad83montanaft=2256 nad83mtmzone1=32181 nad83mtmzone10=32190 nad83mtmzone11=32191
  nad83mtmzone12=32192 nad83mtmzone13=32193 nad83mtmzone14=32194 nad83mtmzone15=32195 nad83mtmzone16=32196
  nad83mtmzone17=32197 nad83mtmzone2=32182 nad83mtmzone3=32183 nad83mtmzone4=32184 nad83mtmzone5=32185
  nad83mtmzone6=32186 nad83mtmzone7=32187 nad83mtmzone8=32188 nad83mtmzone9=32189 nad83mtqlambert=3798
  nad83ncrslasvegasftus=8380 nad83ncrslasvegashighftus=8382 nad83ncrslasvegashighm=8381 nad83ncrslasvegasm=8379
  nad83nebraska=32104 nad83nebraskaftus=26852 nad83nevadacentral=32108 nad83nevadacentralftus=3422
  nad83nevadaeast=32107 nad83nevadaeastftus=3421 nad83nevadawest=32109 nad83nevadawestftus=3423
  nad83newhampshire=32110 nad83newhampshireftus=3437 nad83newjersey=32111 nad83newjerseyftus=3424
  nad83newmexicocentral=32113 nad83newmexicocentralftus=2258 nad83newmexicoeast=32112 nad83newmexicoeastftus=2257
  nad83newmexicowest=32114 nad83newmexicowestftus=2259 nad83newyorkcentral=32116 nad83newyorkcentralftus=2261
  nad83newyorkeast=32115 nad83newyorkeastftus=2260 nad83newyorklongisland=32118 nad83newyorklongislandftus=2263
  nad83newyorkwest=32117 nad83newyorkwestftus=2262 nad83northcarolina=32119 nad83northcarolinaftus=2264
  nad83northdakotanorth=32120 nad83northdakotanorthft=2265 nad83northdakotasouth=32121 nad83northdakotasouthft=2266
  nad83nsrs2007=4759 nad83nsrs2007alabamaeast=3465 nad83nsrs2007alabamawest=3466 nad83nsrs2007alaskaalbers=3467
  nad83nsrs2007alaskazone1=3468 nad83nsrs2007alaskazone10=3477 nad83nsrs2007alaskazone2=3469
  nad83nsrs2007alaskazone3=3470 nad83nsrs2007alaskazone4=3471 nad83nsrs2007alaskazone5=3472
  nad83nsrs2007alaskazone6=3473 nad83nsrs2007alaskazone7=3474 nad83nsrs2007alaskazone8=3475
  nad83nsrs2007alaskazone9=3476 nad83nsrs2007arizonacentral=3478 nad83nsrs2007arizonacentralft=3479
  nad83nsrs2007arizonaeast=3480 nad83nsrs2007arizonaeastft=3481 nad83nsrs2007arizonawest=3482
  nad83nsrs2007arizonawestft=3483 nad83nsrs2007arkansasnorth=3484 nad83nsrs2007arkansasnorthftus=3485
  nad83nsrs2007arkansassouth=3486 nad83nsrs2007arkansassouthftus=3487 nad83nsrs2007californiaalbers=3488
  nad83nsrs2007californiazone1=3489 nad83nsrs2007californiazone1ftus=3490 nad83nsrs2007californiazone2=3491
  nad83nsrs2007californiazone2ftus=3492 nad83nsrs2007californiazone3=3493 nad83nsrs2007californiazone3ftus=3494
  nad83nsrs2007californiazone4=3495 nad83nsrs2007californiazone4ftus=3496 nad83nsrs2007californiazone5=3497
  nad83nsrs2007californiazone5ftus=3498 nad83nsrs2007californiazone6=3499 nad83nsrs2007californiazone6ftus=3500
  nad83nsrs2007coloradocentral=3501 nad83nsrs2007coloradocentralftus=3502 nad83nsrs2007coloradonorth=3503
  nad83nsrs2007coloradonorthftus=3504 nad83nsrs2007coloradosouth=3505 nad83nsrs2007coloradosouthftus=3506
  nad83nsrs2007connecticut=3507 nad83nsrs2007connecticutftus=3508 nad83nsrs2007conusalbers=5072
  nad83nsrs2007delaware=3509 nad83nsrs2007delawareftus=3510 nad83nsrs2007epsgarcticzone529=6094
  nad83nsrs2007epsgarcticzone531=6095 nad83nsrs2007epsgarcticzone614=6096 nad83nsrs2007epsgarcticzone616=6097
  nad83nsrs2007floridaeast=3511 nad83nsrs2007floridaeastftus=3512 nad83nsrs2007floridagdlalbers=3513
  nad83nsrs2007floridanorth=3514 nad83nsrs2007floridanorthftus=3515 nad83nsrs2007floridawest=3516
  nad83nsrs2007floridawestftus=3517 nad83nsrs2007georgiaeast=3518 nad83nsrs2007georgiaeastftus=3519
  nad83nsrs2007georgiawest=3520 nad83nsrs2007georgiawestftus=3521 nad83nsrs2007idahocentral=3522
  nad83nsrs2007idahocentralftus=3523 nad83nsrs2007idahoeast=3524 nad83nsrs2007idahoeastftus=3525
  nad83nsrs2007idahowest=3526 nad83nsrs2007idahowestftus=3527 nad83nsrs2007illinoiseast=3528
  nad83nsrs2007illinoiseastftus=3529 nad83nsrs2007illinoiswest=3530 nad83nsrs2007illinoiswestftus=3531
  nad83nsrs2007indianaeast=3532 nad83nsrs2007indianaeastftus=3533 nad83nsrs2007indianawest=3534
  nad83nsrs2007indianawestftus=3535 nad83nsrs2007iowanorth=3536 nad83nsrs2007iowanorthftus=3537
  nad83nsrs2007iowasouth=3538 nad83nsrs2007iowasouthftus=3539 nad83nsrs2007kansasnorth=3540
  nad83nsrs2007kansasnorthftus=3541 nad83nsrs2007kansassouth=3542 nad83nsrs2007kansassouthftus=3543
  nad83nsrs2007kentuckynorth=3544 nad83nsrs2007kentuckynorthftus=3545 nad83nsrs2007kentuckysinglezone=3546
  nad83nsrs2007kentuckysinglezoneftus=3547 nad83nsrs2007kentuckysouth=3548 nad83nsrs2007kentuckysouthftus=3549
  nad83nsrs2007louisiananorth=3550 nad83nsrs2007louisiananorthftus=3551 nad83nsrs2007louisianasouth=3552
  nad83nsrs2007louisianasouthftus=3553 nad83nsrs2007mainecs2000central=3554 nad83nsrs2007mainecs2000east=3555
  nad83nsrs2007mainecs2000west=3556 nad83nsrs2007maineeast=3557 nad83nsrs2007maineeastftus=26863
  nad83nsrs2007mainewest=3558 nad83nsrs2007mainewestftus=26864 nad83nsrs2007maryland=3559
  nad83nsrs2007marylandftus=3582 nad83nsrs2007massachusettsisland=3583 nad83nsrs2007massachusettsislandftus=3584
  nad83nsrs2007massachusettsmainland=3585 nad83nsrs2007massachusettsmainlandftus=3586
  nad83nsrs2007michigancentral=3587 nad83nsrs2007michigancentralft=3588 nad83nsrs2007michigannorth=3589
  nad83nsrs2007michigannorthft=3590 nad83nsrs2007michiganobliquemercator=3591 nad83nsrs2007michigansouth=3592
  nad83nsrs2007michigansouthft=3593 nad83nsrs2007minnesotacentral=3594 nad83nsrs2007minnesotacentralftus=26866
  nad83nsrs2007minnesotanorth=3595 nad83nsrs2007minnesotanorthftus=26865 nad83nsrs2007minnesotasouth=3596
  nad83nsrs2007minnesotasouthftus=26867 nad83nsrs2007mississippieast=3597 nad83nsrs2007mississippieastftus=3598
  nad83nsrs2007mississippitm=3816 nad83nsrs2007mississippiwest=3599 nad83nsrs2007mississippiwestftus=3600
  nad83nsrs2007missouricentral=3601 nad83nsrs2007missourieast=3602 nad83nsrs2007missouriwest=3603
  nad83nsrs2007montana=3604 nad83nsrs2007montanaft=3605 nad83nsrs2007nebraska=3606 nad83nsrs2007nebraskaftus=26868
  nad83nsrs2007nevadacentral=3607 nad83nsrs2007nevadacentralftus=3608 nad83nsrs2007nevadaeast=3609
  nad83nsrs2007nevadaeastftus=3610 nad83nsrs2007nevadawest=3611 nad83nsrs2007nevadawestftus=3612
  nad83nsrs2007newhampshire=3613 nad83nsrs2007newhampshireftus=3614 nad83nsrs2007newjersey=3615
  nad83nsrs2007newjerseyftus=3616 nad83nsrs2007newmexicocentral=3617 nad83nsrs2007newmexicocentralftus=3618
  nad83nsrs2007newmexicoeast=3619 nad83nsrs2007newmexicoeastftus=3620 nad83nsrs2007newmexicowest=3621
  nad83nsrs2007newmexicowestftus=3622 nad83nsrs2007newyorkcentral=3623 nad83nsrs2007newyorkcentralftus=3624
  nad83nsrs2007newyorkeast=3625 nad83nsrs2007newyorkeastftus=3626 nad83nsrs2007newyorklongisland=3627
  nad83nsrs2007newyorklongislandftus=3628 nad83nsrs2007newyorkwest=3629 nad83nsrs2007newyorkwestftus=3630
  nad83nsrs2007northcarolina=3631 nad83nsrs2007northcarolinaftus=3632 nad83nsrs2007northdakotanorth=3633
  nad83nsrs2007northdakotanorthft=3634 nad83nsrs2007northdakotasouth=3635 nad83nsrs2007northdakotasouthft=3636
  nad83nsrs2007ohionorth=3637 nad83nsrs2007ohionorthftus=3728 nad83nsrs2007ohiosouth=3638
  nad83nsrs2007ohiosouthftus=3729 nad83nsrs2007oklahomanorth=3639 nad83nsrs2007oklahomanorthftus=3640
  nad83nsrs2007oklahomasouth=3641 nad83nsrs2007oklahomasouthftus=3642 nad83nsrs2007oregongiclambertft=3644
  nad83nsrs2007oregonlccm=3643 nad83nsrs2007oregonnorth=3645 nad83nsrs2007oregonnorthft=3646
  nad83nsrs2007oregonsouth=3647 nad83nsrs2007oregonsouthft=3648 nad83nsrs2007pennsylvanianorth=3649
  nad83nsrs2007pennsylvanianorthftus=3650 nad83nsrs2007pennsylvaniasouth=3651 nad83nsrs2007pennsylvaniasouthftus=3652
  nad83nsrs2007puertoricoandvirginis=4437 nad83nsrs2007rhodeisland=3653 nad83nsrs2007rhodeislandftus=3654
  nad83nsrs2007southcarolina=3655 nad83nsrs2007southcarolinaft=3656 nad83nsrs2007southdakotanorth=3657
  nad83nsrs2007southdakotanorthftus=3658 nad83nsrs2007southdakotasouth=3659 nad83nsrs2007southdakotasouthftus=3660
  nad83nsrs2007tennessee=3661 nad83nsrs2007tennesseeftus=3662 nad83nsrs2007texascentral=3663
  nad83nsrs2007texascentralftus=3664 nad83nsrs2007texascentricalbersequalarea=3665
  nad83nsrs2007texascentriclambertconformal=3666 nad83nsrs2007texasnorth=3667 nad83nsrs2007texasnorthcentral=3669
  nad83nsrs2007texasnorthcentralftus=3670 nad83nsrs2007texasnorthftus=3668 nad83nsrs2007texassouth=3671
  nad83nsrs2007texassouthcentral=3673 nad83nsrs2007texassouthcentralftus=3674 nad83nsrs2007texassouthftus=3672
  nad83nsrs2007utahcentral=3675 nad83nsrs2007utahcentralft=3676 nad83nsrs2007utahcentralftus=3677
  nad83nsrs2007utahnorth=3678 nad83nsrs2007utahnorthft=3679 nad83nsrs2007utahnorthftus=3680
  nad83nsrs2007utahsouth=3681 nad83nsrs2007utahsouthft=3682 nad83nsrs2007utahsouthftus=3683
  nad83nsrs2007utmzone10n=3717 nad83nsrs2007utmzone11n=3718 nad83nsrs2007utmzone12n=3719 nad83nsrs2007utmzone13n=3720
  nad83nsrs2007utmzone14n=3721 nad83nsrs2007utmzone15n=3722 nad83nsrs2007utmzone16n=3723 nad83nsrs2007utmzone17n=3724
  nad83nsrs2007utmzone18n=3725 nad83nsrs2007utmzone19n=3726 nad83nsrs2007utmzone1n=3708 nad83nsrs2007utmzone2n=3709
  nad83nsrs2007utmzone3n=3710 nad83nsrs2007utmzone4n=3711 nad83nsrs2007utmzone59n=3706 nad83nsrs2007utmzone5n=3712
  nad83nsrs2007utmzone60n=3707 nad83nsrs2007utmzone6n=3713 nad83nsrs2007utmzone7n=3714 nad83nsrs2007utmzone8n=3715
  nad83nsrs2007utmzone9n=3716 nad83nsrs2007vermont=3684 nad83nsrs2007vermontftus=5655
  nad83nsrs2007virginialambert=3970 nad83nsrs2007virginianorth=3685 nad83nsrs2007virginianorthftus=3686
  nad83nsrs2007virginiasouth=3687 nad83nsrs2007virginiasouthftus=3688 nad83nsrs2007washingtonnorth=3689
  nad83nsrs2007washingtonnorthftus=3690 nad83nsrs2007washingtonsouth=3691 nad83nsrs2007washingtonsouthftus=3692
  nad83nsrs2007westvirginianorth=3693 nad83nsrs2007westvirginianorthftus=26869 nad83nsrs2007westvirginiasouth=3694
  nad83nsrs2007westvirginiasouthftus=26870 nad83nsrs2007wisconsincentral=3695 nad83nsrs2007wisconsincentralftus=3696
  nad83nsrs2007wisconsinnorth=3697 nad83nsrs2007wisconsinnorthftus=3698 nad83nsrs2007wisconsinsouth=3699
  nad83nsrs2007wisconsinsouthftus=3700 nad83nsrs2007wisconsintransversemercator=3701 nad83nsrs2007wyomingeast=3702
  nad83nsrs2007wyomingeastcentral=3703 nad83nsrs2007wyomingeastcentralftus=3731 nad83nsrs2007wyomingeastftus=3730
  nad83nsrs2007wyomingwest=3705 nad83nsrs2007wyomingwestcentral=3704 nad83nsrs2007wyomingwestcentralftus=3732
  nad83nsrs2007wyomingwestftus=3733 nad83nwtlambert=3580 nad83ohionorth=32122 nad83ohionorthftus=3734
  nad83ohiosouth=32123 nad83ohiosouthftus=3735 nad83oklahomanorth=32124 nad83oklahomanorthftus=2267
  nad83oklahomasouth=32125 nad83oklahomasouthftus=2268 nad83ontariomnrlambert=3161 nad83oregongiclambertft=2992
  nad83oregonlccm=2991 nad83oregonnorth=32126 nad83oregonnorthft=2269 nad83oregonsouth=32127 nad83oregonsouthft=2270
  nad83pa11=6322 nad83pa11hawaiizone1=6628 nad83pa11hawaiizone2=6629 nad83pa11hawaiizone3=6630
  nad83pa11hawaiizone3ftus=6633 nad83pa11hawaiizone4=6631 nad83pa11hawaiizone5=6632 nad83pa11utmzone2s=6636
  nad83pa11utmzone4n=6634 nad83pa11utmzone5n=6635 nad83pacp00=9075 nad83pennsylvanianorth=32128
  nad83pennsylvanianorthftus=2271 nad83pennsylvaniasouth=32129 nad83pennsylvaniasouthftus=2272
  nad83puertoricovirginis=32161 nad83quebecalbers=6623 nad83quebeclambert=32198 nad83rhodeisland=32130
  nad83rhodeislandftus=3438 nad83scopqzone2=32180 nad83southcarolina=32133 nad83southcarolinaft=2273
  nad83southdakotanorth=32134 nad83southdakotanorthftus=4457 nad83southdakotasouth=32135
  nad83southdakotasouthftus=3455 nad83statisticscanadalambert=3347 nad83tennessee=32136 nad83tennesseeftus=2274
  nad83teranetontariolambert=5320 nad83texascentral=32139 nad83texascentralftus=2277
  nad83texascentricalbersequalarea=3083 nad83texascentriclambertconformal=3082 nad83texasnorth=32137
  nad83texasnorthcentral=32138 nad83texasnorthcentralftus=2276 nad83texasnorthftus=2275 nad83texassouth=32141
  nad83texassouthcentral=32140 nad83texassouthcentralftus=2278 nad83texassouthftus=2279
  nad83texasstatemappingsystem=3081 nad83usfsr6albers=9674 nad83utahcentral=32143 nad83utahcentralft=2281
  nad83utahcentralftus=3566 nad83utahnorth=32142 nad83utahnorthft=2280 nad83utahnorthftus=3560 nad83utahsouth=32144
  nad83utahsouthft=2282 nad83utahsouthftus=3567 nad83utmzone10n=26910 nad83utmzone11n=26911 nad83utmzone12n=26912
  nad83utmzone13n=26913 nad83utmzone14n=26914 nad83utmzone15n=26915 nad83utmzone16n=26916 nad83utmzone17n=26917
  nad83utmzone18n=26918 nad83utmzone19n=26919 nad83utmzone1n=26901 nad83utmzone20n=26920 nad83utmzone21n=26921
  nad83utmzone22n=26922 nad83utmzone23n=26923 nad83utmzone24n=9712 nad83utmzone2n=26902 nad83utmzone3n=26903
  nad83utmzone4n=26904 nad83utmzone59n=3372 nad83utmzone5n=26905 nad83utmzone60n=3373 nad83utmzone6n=26906
  nad83utmzone7n=26907 nad83utmzone8n=26908 nad83utmzone9n=26909 nad83vermont=32145 nad83vermontftus=5646
  nad83virginialambert=3968 nad83virginianorth=32146 nad83virginianorthftus=2283 nad83virginiasouth=32147
  nad83virginiasouthftus=2284 nad83washingtonnorth=32148 nad83washingtonnorthftus=2285 nad83washingtonsouth=32149
  nad83washingtonsouthftus=2286 nad83westvirginianorth=32150 nad83westvirginianorthftus=26853
  nad83westvirginiasouth=32151 nad83westvirginiasouthftus=26854 nad83wisconsincentral=32153
  nad83wisconsincentralftus=2288 nad83wisconsinnorth=32152 nad83wisconsinnorthftus=2287 nad83wisconsinsouth=32154
  nad83wisconsinsouthftus=2289 nad83wisconsintransversemercator=3070 nad83wyomingeast=32155
  nad83wyomingeastcentral=32156 nad83wyomingeastcentralftus=3737 nad83wyomingeastftus=3736 nad83wyominglambert=32159
  nad83wyomingwest=32158 nad83wyomingwestcentral=32157 nad83wyomingwestcentralftus=3738 nad83wyomingwestftus=3739
  nad83yukonalbers=3578 nadmichiganmichigancentral=26812 nadmichiganmichiganeast=26801 nadmichiganmichigannorth=26811
  nadmichiganmichiganoldcentral=26802 nadmichiganmichigansouth=26813 nadmichiganmichiganwest=26803
  nadmichiganstateplanemichigancentralfips2112=26812 nadmichiganstateplanemichigancentraloldfips2102=26802
  nadmichiganstateplanemichiganeastoldfips2101=26801 nadmichiganstateplanemichigannorthfips2111=26811
  nadmichiganstateplanemichigansouthfips2113=26813 nadmichiganstateplanemichiganwestoldfips2103=26803 nahrwan1934=4744
  nahrwan1934iraqzone=3394 nahrwan1934utmzone37n=7005 nahrwan1934utmzone38n=7006 nahrwan1934utmzone39n=7007
  nahrwan1967=4270 nahrwan1967utmzone37n=27037 nahrwan1967utmzone38n=27038 nahrwan1967utmzone39n=27039
  nahrwan1967utmzone40n=27040 nakhleghanem=4693 nakhleghanemutmzone39n=3307 naparima1955=4158
  naparima1955utmzone20n=2067 naparima1972=4271 naparima1972utmzone20n=27120 ndgparis=4902 nea74noumea=4644
  nea74noumealambert=3165 nea74noumealambert2=3166 nea74noumeanoumealambert=3165 nea74noumeanoumealambert2=3166
  nea74noumeautm58s=2998 nea74noumeautmzone58s=2998 nepal1981=6207 nepalnagarkot3d=104664 nepalnagarkottm=102306
  newbeijing=4555 newbeijing3degreegausskrugercm102e=4791 newbeijing3degreegausskrugercm105e=4792
  newbeijing3degreegausskrugercm108e=4793 newbeijing3degreegausskrugercm111e=4794
  newbeijing3degreegausskrugercm114e=4795 newbeijing3degreegausskrugercm117e=4796
  newbeijing3degreegausskrugercm120e=4797 newbeijing3degreegausskrugercm123e=4798
  newbeijing3degreegausskrugercm126e=4799 newbeijing3degreegausskrugercm129e=4800
  newbeijing3degreegausskrugercm132e=102569 newbeijing3degreegausskrugercm135e=4822
  newbeijing3degreegausskrugercm75e=4782 newbeijing3degreegausskrugercm78e=4783 newbeijing3degreegausskrugercm81e=4784
  newbeijing3degreegausskrugercm84e=4785 newbeijing3degreegausskrugercm87e=4786 newbeijing3degreegausskrugercm90e=4787
  newbeijing3degreegausskrugercm93e=4788 newbeijing3degreegausskrugercm96e=4789 newbeijing3degreegausskrugercm99e=4790
  newbeijing3degreegausskrugerzone25=4652 newbeijing3degreegausskrugerzone26=4653
  newbeijing3degreegausskrugerzone27=4654 newbeijing3degreegausskrugerzone28=4655
  newbeijing3degreegausskrugerzone29=4656 newbeijing3degreegausskrugerzone30=4766
  newbeijing3degreegausskrugerzone31=4767 newbeijing3degreegausskrugerzone32=4768
  newbeijing3degreegausskrugerzone33=4769 newbeijing3degreegausskrugerzone34=4770
  newbeijing3degreegausskrugerzone35=4771 newbeijing3degreegausskrugerzone36=4772
  newbeijing3degreegausskrugerzone37=4773 newbeijing3degreegausskrugerzone38=4774
  newbeijing3degreegausskrugerzone39=4775 newbeijing3degreegausskrugerzone40=4776
  newbeijing3degreegausskrugerzone41=4777 newbeijing3degreegausskrugerzone42=4778
  newbeijing3degreegausskrugerzone43=4779 newbeijing3degreegausskrugerzone44=4780
  newbeijing3degreegausskrugerzone45=4781 newbeijinggausskrugercm105e=4584 newbeijinggausskrugercm111e=4585
  newbeijinggausskrugercm117e=4586 newbeijinggausskrugercm123e=4587 newbeijinggausskrugercm129e=4588
  newbeijinggausskrugercm135e=4589 newbeijinggausskrugercm75e=4579 newbeijinggausskrugercm81e=4580
  newbeijinggausskrugercm87e=4581 newbeijinggausskrugercm93e=4582 newbeijinggausskrugercm99e=4583
  newbeijinggausskrugerzone13=4568 newbeijinggausskrugerzone14=4569 newbeijinggausskrugerzone15=4570
  newbeijinggausskrugerzone16=4571 newbeijinggausskrugerzone17=4572 newbeijinggausskrugerzone18=4573
  newbeijinggausskrugerzone19=4574 newbeijinggausskrugerzone20=4575 newbeijinggausskrugerzone21=4576
  newbeijinggausskrugerzone22=4577 newbeijinggausskrugerzone23=4578 newzealandnorthisland=27291
  newzealandsouthisland=27292 ngn=4318 ngnutmzone38n=31838 ngnutmzone39n=31839 ngo1948=4273
  ngo1948baerumkommune=102136 ngo1948bergenhalvoen=102137 ngo1948norwayzone1=102101 ngo1948norwayzone2=102102
  ngo1948norwayzone3=102103 ngo1948norwayzone4=102104 ngo1948norwayzone5=102105 ngo1948norwayzone6=102106
  ngo1948norwayzone7=102107 ngo1948norwayzone8=102108 ngo1948oslo=4817 ngo1948oslobaerumkommune=102450
  ngo1948oslobergenhalvoen=102451 ngo1948oslokommune=102138 ngo1948oslongozonei=27391 ngo1948oslongozoneii=27392
  ngo1948oslongozoneiii=27393 ngo1948oslongozoneiv=27394 ngo1948oslongozonev=27395 ngo1948oslongozonevi=27396
  ngo1948oslongozonevii=27397 ngo1948oslongozoneviii=27398 ngo1948oslonorwayzone1=27391 ngo1948oslonorwayzone2=27392
  ngo1948oslonorwayzone3=27393 ngo1948oslonorwayzone4=27394 ngo1948oslonorwayzone5=27395 ngo1948oslonorwayzone6=27396
  ngo1948oslonorwayzone7=27397 ngo1948oslonorwayzone8=27398 ngo1948oslooslokommune=102452 ngo1948utmzone32n=102132
  ngo1948utmzone33n=102133 ngo1948utmzone34n=102134 ngo1948utmzone35n=102135 nigeriaeastbelt=26393
  nigeriamidbelt=26392 nigeriawestbelt=26391 nordalgerie=30591 nordalgerieancienne=30491
  nordalgerieanciennedegree=102491 nordalgeriedegree=102591 norddeguerre=27500 nordmaroc=26191 nordmarocdegree=102191
  nordsahara1959=4307 nordsahara1959nordalgerie=30791 nordsahara1959paris=4819 nordsahara1959sudalgerie=30792
  nordsahara1959utmzone29n=30729 nordsahara1959utmzone30n=30730 nordsahara1959utmzone31n=30731
  nordsahara1959utmzone32n=30732 nordsahara1959voirolunifienord=30791 nordsahara1959voirolunifiesud=30792
  nordtunisie=22391 northamericaalbersequalareaconic=102008 northamericaequidistantconic=102010
  northamericalambertconformalconic=102009 northamerican19833d=104602 northamerican1983csrs3d=4617
  northamerican1983harn3d=4152 northpoleazimuthalequidistant=102016 northpolegnomonic=102034
  northpolelambertazimuthalequalarea=102017 northpoleorthographic=102035 northpolestereographic=102018
  nouakchott1965=4680 nsidceasegridglobal=3410 nsidceasegridnorth=3408 nsidceasegridsouth=3409
  nsidcseaicepolarstereographicnorth=3411 nsidcseaicepolarstereographicsouth=3412 nswc9z2=4276 ntf=4275
  ntffranceidegrees=102581 ntffranceiidegrees=102582 ntffranceiiidegrees=102583 ntffranceivdegrees=102584
  ntflambertzonei=102585 ntflambertzoneii=102586 ntflambertzoneiii=102587 ntflambertzoneiv=102588 ntfparis=4807
  ntfpariscentrefrance=27592 ntfpariscorse=27594 ntfparisfrancei=27581 ntfparisfranceii=27582 ntfparisfranceiii=27583
  ntfparisfranceiv=27584 ntfparislambertcentrefrance=27562 ntfparislambertcorse=27564 ntfparislambertnordfrance=27561
  ntfparislambertsudfrance=27563 ntfparislambertzonei=27571 ntfparislambertzoneii=27572 ntfparislambertzoneiii=27573
  ntfparislambertzoneiv=27574 ntfparisnordfrance=27591 ntfparissudfrance=27593 nzgd1949amuricircuit=27219
  nzgd1949bayofplentycircuit=27206 nzgd1949bluffcircuit=27232 nzgd1949bullercircuit=27217
  nzgd1949collingwoodcircuit=27214 nzgd1949gawlercircuit=27225 nzgd1949greycircuit=27218
  nzgd1949hawkesbaycircuit=27208 nzgd1949hokitikacircuit=27221 nzgd1949jacksonsbaycircuit=27223
  nzgd1949karameacircuit=27216 nzgd1949lindispeakcircuit=27227 nzgd1949marlboroughcircuit=27220
  nzgd1949mountedencircuit=27205 nzgd1949mountnicholascircuit=27228 nzgd1949mountpleasantcircuit=27224
  nzgd1949mountyorkcircuit=27229 nzgd1949nelsoncircuit=27215 nzgd1949northtaiericircuit=27231
  nzgd1949observationpointcircuit=27230 nzgd1949okaritocircuit=27222 nzgd1949povertybaycircuit=27207
  nzgd1949taranakicircuit=27209 nzgd1949timarucircuit=27226 nzgd1949tuhirangicircuit=27210 nzgd1949utmzone58s=27258
  nzgd1949utmzone59s=27259 nzgd1949utmzone60s=27260 nzgd1949wairarapacircuit=27212 nzgd1949wanganuicircuit=27211
  nzgd1949wellingtoncircuit=27213 nzgd2000=4167 nzgd20003d=4167 nzgd2000amuri2000=2119 nzgd2000amuricircuit=2119
  nzgd2000antipodesislandstm2000=3790 nzgd2000aucklandislandstm2000=3788 nzgd2000bayofplenty2000=2106
  nzgd2000bayofplentycircuit=2106 nzgd2000bluff2000=2132 nzgd2000bluffcircuit=2132 nzgd2000buller2000=2117
  nzgd2000bullercircuit=2117 nzgd2000campbellislandtm2000=3789 nzgd2000chathamislandcircuit=3764
  nzgd2000chathamislandcircuit2000=3764 nzgd2000chathamislandstm2000=3793 nzgd2000collingwood2000=2114
  nzgd2000collingwoodcircuit=2114 nzgd2000gawler2000=2125 nzgd2000gawlercircuit=2125 nzgd2000grey2000=2118
  nzgd2000greycircuit=2118 nzgd2000hawkesbay2000=2108 nzgd2000hawkesbaycircuit=2108 nzgd2000hokitika2000=2121
  nzgd2000hokitikacircuit=2121 nzgd2000jacksonsbay2000=2123 nzgd2000jacksonsbaycircuit=2123 nzgd2000karamea2000=2116
  nzgd2000karameacircuit=2116 nzgd2000lindispeak2000=2127 nzgd2000lindispeakcircuit=2127 nzgd2000marlborough2000=2120
  nzgd2000marlboroughcircuit=2120 nzgd2000mounteden2000=2105 nzgd2000mountedencircuit=2105
  nzgd2000mountnicholas2000=2128 nzgd2000mountnicholascircuit=2128 nzgd2000mountpleasant2000=2124
  nzgd2000mountpleasantcircuit=2124 nzgd2000mountyork2000=2129 nzgd2000mountyorkcircuit=2129 nzgd2000nelson2000=2115
  nzgd2000nelsoncircuit=2115 nzgd2000newzealandtransversemercator=2193 nzgd2000newzealandtransversemercator2000=2193
  nzgd2000northtaieri2000=2131 nzgd2000northtaiericircuit=2131 nzgd2000nzcontinentalshelf2000=3851
  nzgd2000nzcs2000=3851 nzgd2000observationpoint2000=2130 nzgd2000observationpointcircuit=2130
  nzgd2000okarito2000=2122 nzgd2000okaritocircuit=2122 nzgd2000povertybay2000=2107 nzgd2000povertybaycircuit=2107
  nzgd2000raoulislandtm2000=3791 nzgd2000taranaki2000=2109 nzgd2000taranakicircuit=2109 nzgd2000timaru2000=2126
  nzgd2000timarucircuit=2126 nzgd2000tuhirangi2000=2110 nzgd2000tuhirangicircuit=2110 nzgd2000utmzone1s=5700
  nzgd2000utmzone58s=2133 nzgd2000utmzone59s=2134 nzgd2000utmzone60s=2135 nzgd2000wairarapa2000=2112
  nzgd2000wairarapacircuit=2112 nzgd2000wanganui2000=2111 nzgd2000wanganuicircuit=2111 nzgd2000wellington2000=2113
  nzgd2000wellingtoncircuit=2113 nzgd49=4272 nzgd49amuricircuit=27219 nzgd49bayofplentycircuit=27206
  nzgd49bluffcircuit=27232 nzgd49bullercircuit=27217 nzgd49collingwoodcircuit=27214 nzgd49gawlercircuit=27225
  nzgd49greycircuit=27218 nzgd49hawkesbaycircuit=27208 nzgd49hokitikacircuit=27221 nzgd49jacksonsbaycircuit=27223
  nzgd49karameacircuit=27216 nzgd49lindispeakcircuit=27227 nzgd49marlboroughcircuit=27220 nzgd49mountedencircuit=27205
  nzgd49mountnicholascircuit=27228 nzgd49mountpleasantcircuit=27224 nzgd49mountyorkcircuit=27229
  nzgd49nelsoncircuit=27215 nzgd49newzealandmapgrid=27200 nzgd49northislandgrid=27291 nzgd49northtaiericircuit=27231
  nzgd49observationpointcircuit=27230 nzgd49okaritocircuit=27222 nzgd49povertybaycircuit=27207
  nzgd49southislandgrid=27292 nzgd49taranakicircuit=27209 nzgd49timarucircuit=27226 nzgd49tuhirangicircuit=27210
  nzgd49utmzone58s=27258 nzgd49utmzone59s=27259 nzgd49utmzone60s=27260 nzgd49wairarapacircuit=27212
  nzgd49wanganuicircuit=27211 nzgd49wellingtoncircuit=27213 observatario=4129
  observatoriometeorologico1939utmzone25n=102166 observatoriometeorologico1965macaugrid=102159 ocotepeque1935=5451
  ocotepeque1935costaricalambertnorte=102221 ocotepeque1935costaricalambertsur=102222
  ocotepeque1935costaricanorte=5456 ocotepeque1935costaricasur=5457 ocotepeque1935elsalvadorlambert=5460
  ocotepeque1935guatemalanorte=5559 ocotepeque1935guatemalasur=5459 ocotepeque1935nicaraguanorte=5461
  ocotepeque1935nicaraguasur=5462 ocrsbakernad19832011tmfeetintl=6787 ocrsbakernad19832011tmmeters=6786
  ocrsbakernad1983cors96tmfeetintl=6785 ocrsbakernad1983cors96tmmeters=6784 ocrsbendburnsnad19832011lccfeetintl=6799
  ocrsbendburnsnad19832011lccmeters=6798 ocrsbendburnsnad1983cors96lccfeetintl=6797
  ocrsbendburnsnad1983cors96lccmeters=6796 ocrsbendklamathfallsnad19832011tmfeetintl=6791
  ocrsbendklamathfallsnad19832011tmmeters=6790 ocrsbendklamathfallsnad1983cors96tmfeetintl=6789
  ocrsbendklamathfallsnad1983cors96tmmeters=6788 ocrsbendredmondprinevillenad19832011lccfeetintl=6795
  ocrsbendredmondprinevillenad19832011lccmeters=6794 ocrsbendredmondprinevillenad1983cors96lccfeetintl=6793
  ocrsbendredmondprinevillenad1983cors96lccmeters=6792 ocrsburnsharpernad19832011tmftintl=8312
  ocrsburnsharpernad19832011tmmeters=8311 ocrscanyoncityburnsnad19832011tmftintl=8314
  ocrscanyoncityburnsnad19832011tmmeters=8313 ocrscanyonvillegrantspassnad19832011tmfeetintl=6803
  ocrscanyonvillegrantspassnad19832011tmmeters=6802 ocrscanyonvillegrantspassnad1983cors96tmfeetintl=6801
  ocrscanyonvillegrantspassnad1983cors96tmmeters=6800 ocrscoastrangenorthnad19832011lccftintl=8316
  ocrscoastrangenorthnad19832011lccmeters=8315 ocrscolumbiarivereastnad19832011lccfeetintl=6807
  ocrscolumbiarivereastnad19832011lccmeters=6806 ocrscolumbiarivereastnad1983cors96lccfeetintl=6805
  ocrscolumbiarivereastnad1983cors96lccmeters=6804 ocrscolumbiariverwestnad19832011omfeetintl=6811
  ocrscolumbiariverwestnad19832011ommeters=6810 ocrscolumbiariverwestnad1983cors96omfeetintl=6809
  ocrscolumbiariverwestnad1983cors96ommeters=6808 ocrscottagegrovecanyonvillenad19832011tmfeetintl=6815
  ocrscottagegrovecanyonvillenad19832011tmmeters=6814 ocrscottagegrovecanyonvillenad1983cors96tmfeetintl=6813
  ocrscottagegrovecanyonvillenad1983cors96tmmeters=6812 ocrsdayvilleprairiecitynad19832011tmftintl=8318
  ocrsdayvilleprairiecitynad19832011tmmeters=8317 ocrsdenioburnsnad19832011tmftintl=8320
  ocrsdenioburnsnad19832011tmmeters=8319 ocrsdufurmadrasnad19832011tmfeetintl=6819
  ocrsdufurmadrasnad19832011tmmeters=6818 ocrsdufurmadrasnad1983cors96tmfeetintl=6817
  ocrsdufurmadrasnad1983cors96tmmeters=6816 ocrseugenenad19832011tmfeetintl=6823 ocrseugenenad19832011tmmeters=6822
  ocrseugenenad1983cors96tmfeetintl=6821 ocrseugenenad1983cors96tmmeters=6820
  ocrsgrantspassashlandnad19832011tmfeetintl=6827 ocrsgrantspassashlandnad19832011tmmeters=6826
  ocrsgrantspassashlandnad1983cors96tmfeetintl=6825 ocrsgrantspassashlandnad1983cors96tmmeters=6824
  ocrsgreshamwarmspringsnad19832011tmfeetintl=6831 ocrsgreshamwarmspringsnad19832011tmmeters=6830
  ocrsgreshamwarmspringsnad1983cors96tmfeetintl=6829 ocrsgreshamwarmspringsnad1983cors96tmmeters=6828
  ocrshalfwaynad19832011lccftintl=8322 ocrshalfwaynad19832011lccmeters=8321 ocrslagrandenad19832011tmfeetintl=6835
  ocrslagrandenad19832011tmmeters=6834 ocrslagrandenad1983cors96tmfeetintl=6833 ocrslagrandenad1983cors96tmmeters=6832
  ocrsmedforddiamondlakenad19832011lccftintl=8324 ocrsmedforddiamondlakenad19832011lccmeters=8323
  ocrsmitchellnad19832011lccftintl=8326 ocrsmitchellnad19832011lccmeters=8325
  ocrsnorthcentralnad19832011lccftintl=8328 ocrsnorthcentralnad19832011lccmeters=8327
  ocrsochocosummitnad19832011lccftintl=8330 ocrsochocosummitnad19832011lccmeters=8329
  ocrsontarionad19832011tmfeetintl=6839 ocrsontarionad19832011tmmeters=6838 ocrsontarionad1983cors96tmfeetintl=6837
  ocrsontarionad1983cors96tmmeters=6836 ocrsoregoncoastnad19832011omfeetintl=6843
  ocrsoregoncoastnad19832011ommeters=6842 ocrsoregoncoastnad1983cors96omfeetintl=6841
  ocrsoregoncoastnad1983cors96ommeters=6840 ocrsowyheenad19832011tmftintl=8332 ocrsowyheenad19832011tmmeters=8331
  ocrspendletonlagrandenad19832011tmfeetintl=6851 ocrspendletonlagrandenad19832011tmmeters=6850
  ocrspendletonlagrandenad1983cors96tmfeetintl=6849 ocrspendletonlagrandenad1983cors96tmmeters=6848
  ocrspendletonnad19832011tmfeetintl=6847 ocrspendletonnad19832011tmmeters=6846
  ocrspendletonnad1983cors96tmfeetintl=6845 ocrspendletonnad1983cors96tmmeters=6844
  ocrspilotrockukiahnad19832011lccftintl=8334 ocrspilotrockukiahnad19832011lccmeters=8333
  ocrsportlandnad19832011lccfeetintl=6855 ocrsportlandnad19832011lccmeters=6854
  ocrsportlandnad1983cors96lccfeetintl=6853 ocrsportlandnad1983cors96lccmeters=6852
  ocrsprairiecitybrogannad19832011lccftintl=8336 ocrsprairiecitybrogannad19832011lccmeters=8335
  ocrsrileylakeviewnad19832011tmftintl=8338 ocrsrileylakeviewnad19832011tmmeters=8337
  ocrssalemnad19832011tmfeetintl=6859 ocrssalemnad19832011tmmeters=6858 ocrssalemnad1983cors96tmfeetintl=6857
  ocrssalemnad1983cors96tmmeters=6856 ocrssantiampassnad19832011tmfeetintl=6863
  ocrssantiampassnad19832011tmmeters=6862 ocrssantiampassnad1983cors96tmfeetintl=6861
  ocrssantiampassnad1983cors96tmmeters=6860 ocrssiskiyoupassnad19832011lccftintl=8340
  ocrssiskiyoupassnad19832011lccmeters=8339 ocrsukiahfoxnad19832011lccftintl=8342
  ocrsukiahfoxnad19832011lccmeters=8341 ocrswallowanad19832011tmftintl=8344 ocrswallowanad19832011tmmeters=8343
  ocrswarnerhighwaynad19832011lccftintl=8346 ocrswarnerhighwaynad19832011lccmeters=8345
  ocrswillamettepassnad19832011tmftintl=8348 ocrswillamettepassnad19832011tmmeters=8347 oldhawaiian=4135
  oldhawaiianhawaiizone1=3561 oldhawaiianhawaiizone2=3562 oldhawaiianhawaiizone3=3563 oldhawaiianhawaiizone4=3564
  oldhawaiianhawaiizone5=3565 oldhawaiianstateplanehawaii1fips5101=3561 oldhawaiianstateplanehawaii2fips5102=3562
  oldhawaiianstateplanehawaii3fips5103=3563 oldhawaiianstateplanehawaii4fips5104=3564
  oldhawaiianstateplanehawaii5fips5105=3565 oldhawaiianutmzone4n=102114 oldhawaiianutmzone5n=102115 ongd14=7373
  ongd143d=7373 ongd14utmzone39n=7374 ongd14utmzone40n=7375 ongd14utmzone41n=7376 ongd17=9294 ongd173d=9294
  ongd17utmzone39n=9295 ongd17utmzone40n=9296 ongd17utmzone41n=9297 osgb36=4277 osgb36britishnationalgrid=27700
  osgb36highwaysenglanda10h1=102814 osgb36highwaysenglanda10h2=102815 osgb36highwaysenglanda11h1=102816
  osgb36highwaysenglanda11h2=102817 osgb36highwaysenglanda11h3=102818 osgb36highwaysenglanda12h1=102819
  osgb36highwaysenglanda12h2=102820 osgb36highwaysenglanda12h3=102821 osgb36highwaysenglanda13h1=102822
  osgb36highwaysenglanda13h2=102823 osgb36highwaysenglanda14h1=102824 osgb36highwaysenglanda14h2=102825
  osgb36highwaysenglanda15h1=102826 osgb36highwaysenglanda15h2=102827 osgb36highwaysenglanda16h1=102828
  osgb36highwaysenglanda16h2=102829 osgb36highwaysenglanda17h1=102830 osgb36highwaysenglanda17h2=102831
  osgb36highwaysenglanda18h1=102832 osgb36highwaysenglanda18h2=102833 osgb36highwaysenglanda19h1=102834
  osgb36highwaysenglanda19h2=102835 osgb36highwaysenglanda1h1=102799 osgb36highwaysenglanda20h1=102836
  osgb36highwaysenglanda20h2=102837 osgb36highwaysenglanda21h1=102838 osgb36highwaysenglanda21h2=102839
  osgb36highwaysenglanda22h1=102840 osgb36highwaysenglanda22h2=102841 osgb36highwaysenglanda23h1=102842
  osgb36highwaysenglanda23h2=102843 osgb36highwaysenglanda24h1=102844 osgb36highwaysenglanda24h2=102845
  osgb36highwaysenglanda25h1=102846 osgb36highwaysenglanda25h2=102847 osgb36highwaysenglanda26h1=102848
  osgb36highwaysenglanda26h2=102849 osgb36highwaysenglanda27h1=102850 osgb36highwaysenglanda27h2=102851
  osgb36highwaysenglanda28h1=102852 osgb36highwaysenglanda28h2=102853 osgb36highwaysenglanda29h1=102854
  osgb36highwaysenglanda2h1=102800 osgb36highwaysenglanda30h1=102855 osgb36highwaysenglanda3h1=102801
  osgb36highwaysenglanda3h2=102802 osgb36highwaysenglanda4h1=102803 osgb36highwaysenglanda5h1=102804
  osgb36highwaysenglanda5h2=102805 osgb36highwaysenglanda6h1=102806 osgb36highwaysenglanda6h2=102807
  osgb36highwaysenglanda7h1=102808 osgb36highwaysenglanda7h2=102809 osgb36highwaysenglanda8h1=102810
  osgb36highwaysenglanda8h2=102811 osgb36highwaysenglanda9h1=102812 osgb36highwaysenglanda9h2=102813
  osgb36highwaysenglandb15h1=102856 osgb36highwaysenglandb15h2=102857 osgb36highwaysenglandb15h3=102858
  osgb36highwaysenglandb16h1=102859 osgb36highwaysenglandb16h2=102860 osgb36highwaysenglandb16h3=102861
  osgb36highwaysenglandb16h4=102862 osgb36highwaysenglandb17h1=102863 osgb36highwaysenglandb17h2=102864
  osgb36highwaysenglandb18h1=102865 osgb36highwaysenglandb18h2=102866 osgb36highwaysenglandb19h1=102867
  osgb36highwaysenglandb20h1=102868 osgb36highwaysenglandb21h1=102869 osgb36highwaysenglandb22h1=102870
  osgb36highwaysenglandb23h1=102871 osgb36highwaysenglandb24h1=102872 osgb36highwaysenglandb25h1=102873
  osgb36highwaysenglandb26h1=102874 osgb36highwaysenglandb27h1=102875 osgb36highwaysenglandb28h1=102876
  osgb36highwaysenglandb29h1=102877 osgb36highwaysenglandb30h1=102878 osgb36highwaysenglandb31h1=102879
  osgb36highwaysenglandb32h1=102880 osgb36highwaysenglandc13h1=102881 osgb36highwaysenglandc14h1=102882
  osgb36highwaysenglandc14h2=102883 osgb36highwaysenglandc14h3=102884 osgb36highwaysenglandc14h4=102885
  osgb36highwaysenglandc15h1=102886 osgb36highwaysenglandc15h2=102887 osgb36highwaysenglandc15h3=102888
  osgb36highwaysenglandc15h4=102889 osgb36highwaysenglandc15h5=102890 osgb36highwaysenglandc16h1=102891
  osgb36highwaysenglandc16h2=102892 osgb36highwaysenglandc16h3=102893 osgb36highwaysenglandc16h4=102894
  osgb36highwaysenglandc17h1=102895 osgb36highwaysenglandc17h2=102896 osgb36highwaysenglandc18h1=102897
  osgb36highwaysenglandc18h2=102898 osgb36highwaysenglandc19h1=102899 osgb36highwaysenglandc19h2=102900 osgb70=4278
  osni1952=4188 osni1952irishnationalgrid=29901 ossn80=4279 padang=4280 padangjakarta=4808 palestine1923=4281
  palestine1923israelcsgrid=28193 palestine1923israelicsgrid=28193 palestine1923palestinebelt=28192
  palestine1923palestinegrid=28191 palestine1923palestinegridmodified=7142 palestine1923palestinegridtm=7142
  palestinegrid1923modifiedtm=103699 pallene2015=104988 pampadelcastillo=4161 pampadelcastilloargentina1=9284
  pampadelcastilloargentina2=2082 pampadelcastilloargentina3=9285 pan2015=104989 panamacolon1911=5467
  panamacolon1911panamalambert=5469 panamacolon1911panamapolyconic=5472 pandora2015=104897
  panhandleenergyalbers=102589 pd83=4746 pd833degreegausskrugerzone3=3396 pd833degreegausskrugerzone3en=5666
  pd833degreegausskrugerzone4=3397 pd833degreegausskrugerzone4en=5667 pd833degreegkzone3en=5666
  pd833degreegkzone4en=5667 pd83gkzone3=3396 pd83gkzone4=3397 pdo1993utmzone39n=3439 pdo1993utmzone40n=3440
  perroud1950=4637 perroud1950terreadeliepolarstereographic=2986 peru96=5373 peru963d=5373 peru96utmzone17s=5839
  peru96utmzone18s=5387 peru96utmzone19s=5389 perucentralzone=24892 perueastzone=24893 peruwestzone=24891
  petrels1972=4636 petrels1972terreadeliepolarstereographic=2985 philippineszonei=25391 philippineszoneii=25392
  philippineszoneiii=25393 philippineszoneiv=25394 philippineszonev=25395 phobos2015=104872 phoebe2015=104898
  phoenixislands1966=4716 pitcairn1967=4729 pitcairn1967utmzone9s=3784 pitcairn2006=4763
  pitcairn2006pitcairntm2006=3783 pluto2015=104998 pn68=9403 pn68utmzone27n=9404 pn68utmzone28n=9405 pn84=4728
  pn84utmzone27n=9406 pn84utmzone28n=9407 png94=5546 png943d=5546 png94pngmg94zone54=5550 png94pngmg94zone55=5551
  png94pngmg94zone56=5552 png94pngmg94zone57=9874 png94pngmg94zone58=9875 pohnpeiazeq1971=102237 point58=4620
  pointenoire=4282 pointenoireutmzone32s=28232 polydeuces2015=104899 popularvisualisationcrs=4055
  popularvisualisationcrsmercator=3785 portosanto=4615 portosanto1936utmzone28n=2942 portosanto1995=4663
  portosanto1995utmzone28n=3061 portosantoutmzone28n=2942 portuguesenationalgrid=20790 posgar=4172 posgar19943d=4694
  posgar1994argentinazone1=22181 posgar1994argentinazone2=22182 posgar1994argentinazone3=22183
  posgar1994argentinazone4=22184 posgar1994argentinazone5=22185 posgar1994argentinazone6=22186
  posgar1994argentinazone7=22187 posgar19983d=4190 posgar1998argentinazone1=22171 posgar1998argentinazone2=22172
  posgar1998argentinazone3=22173 posgar1998argentinazone4=22174 posgar1998argentinazone5=22175
  posgar1998argentinazone6=22176 posgar1998argentinazone7=22177 posgar2007=5340 posgar2007argentina1=5343
  posgar2007argentina2=5344 posgar2007argentina3=5345 posgar2007argentina4=5346 posgar2007argentina5=5347
  posgar2007argentina6=5348 posgar2007argentina7=5349 posgar2007argentinazone1=5343 posgar2007argentinazone2=5344
  posgar2007argentinazone3=5345 posgar2007argentinazone4=5346 posgar2007argentinazone5=5347
  posgar2007argentinazone6=5348 posgar2007argentinazone7=5349 posgar2007caba2019=9498 posgar2007utmzone19s=9265
  posgar3d=5340 posgar94=4694 posgar94argentina1=22181 posgar94argentina2=22182 posgar94argentina3=22183
  posgar94argentina4=22184 posgar94argentina5=22185 posgar94argentina6=22186 posgar94argentina7=22187 posgar98=4190
  posgar983d=4190 posgar98argentina1=22171 posgar98argentina2=22172 posgar98argentina3=22173 posgar98argentina4=22174
  posgar98argentina5=22175 posgar98argentina6=22176 posgar98argentina7=22177 princeedwardislandstereographic=2290
  principe=4824 prometheus2015=104993 prs19923d=4683 prs1992philippineszonei=3121 prs1992philippineszoneii=3122
  prs1992philippineszoneiii=3123 prs1992philippineszoneiv=3124 prs1992philippineszonev=3125 prs1992utmzone50n=102456
  prs1992utmzone51n=102457 prs1992utmzone52n=102458 prs92=4683 prs92philippineszone1=3121 prs92philippineszone2=3122
  prs92philippineszone3=3123 prs92philippineszone4=3124 prs92philippineszone5=3125 psad1956icnregional=2317
  psad1956utmzone17n=24817 psad1956utmzone17s=24877 psad1956utmzone18n=24818 psad1956utmzone18s=24878
  psad1956utmzone19n=24819 psad1956utmzone19s=24879 psad1956utmzone20n=24820 psad1956utmzone20s=24880
  psad1956utmzone21n=24821 psad1956utmzone21s=24881 psad1956utmzone22s=24882 psad56=4248 psad56icnregional=2317
  psad56perucentralzone=24892 psad56perueastzone=24893 psad56peruwestzone=24891 psad56utmzone17n=24817
  psad56utmzone17s=24877 psad56utmzone18n=24818 psad56utmzone18s=24878 psad56utmzone19n=24819 psad56utmzone19s=24879
  psad56utmzone20n=24820 psad56utmzone20s=24880 psad56utmzone21n=24821 psad56utmzone21s=24881 psad56utmzone22s=24882
  psd93=4134 psd93utmzone39n=3439 psd93utmzone40n=3440 ptra08=5013 ptra083d=5013 ptra08laeaeurope=5633
  ptra08lcceurope=5632 ptra08utmzone25n=5014 ptra08utmzone26n=5015 ptra08utmzone28n=5016 puertorico=4139
  puertoricostateplanecsof1927=3991 puertoricostateplanepuertoricofips5201=3991
  puertoricostateplanevirginislandsstcroixfips5202=3992 puertoricostcroix=3992 puertoricoutmzone20n=3920
  pulkovo1942=4284 pulkovo19423degreegausskrugercm102e=2610 pulkovo19423degreegausskrugercm105e=2611
  pulkovo19423degreegausskrugercm108e=2612 pulkovo19423degreegausskrugercm111e=2613
  pulkovo19423degreegausskrugercm114e=2614 pulkovo19423degreegausskrugercm117e=2615
  pulkovo19423degreegausskrugercm120e=2616 pulkovo19423degreegausskrugercm123e=2617
  pulkovo19423degreegausskrugercm126e=2618 pulkovo19423degreegausskrugercm129e=2619
  pulkovo19423degreegausskrugercm132e=2620 pulkovo19423degreegausskrugercm135e=2621
  pulkovo19423degreegausskrugercm138e=2622 pulkovo19423degreegausskrugercm141e=2623
  pulkovo19423degreegausskrugercm144e=2624 pulkovo19423degreegausskrugercm147e=2625
  pulkovo19423degreegausskrugercm150e=2626 pulkovo19423degreegausskrugercm153e=2627
  pulkovo19423degreegausskrugercm156e=2628 pulkovo19423degreegausskrugercm159e=2629
  pulkovo19423degreegausskrugercm162e=2630 pulkovo19423degreegausskrugercm165e=2631
  pulkovo19423degreegausskrugercm168e=2632 pulkovo19423degreegausskrugercm168w=2640
  pulkovo19423degreegausskrugercm171e=2633 pulkovo19423degreegausskrugercm171w=2639
  pulkovo19423degreegausskrugercm174e=2634 pulkovo19423degreegausskrugercm174w=2638
  pulkovo19423degreegausskrugercm177e=2635 pulkovo19423degreegausskrugercm177w=2637
  pulkovo19423degreegausskrugercm180e=2636 pulkovo19423degreegausskrugercm18e=3147
  pulkovo19423degreegausskrugercm21e=2582 pulkovo19423degreegausskrugercm24e=2583
  pulkovo19423degreegausskrugercm27e=2584 pulkovo19423degreegausskrugercm30e=2585
  pulkovo19423degreegausskrugercm33e=2586 pulkovo19423degreegausskrugercm36e=2587
  pulkovo19423degreegausskrugercm39e=2588 pulkovo19423degreegausskrugercm42e=2589
  pulkovo19423degreegausskrugercm45e=2590 pulkovo19423degreegausskrugercm48e=2591
  pulkovo19423degreegausskrugercm51e=2592 pulkovo19423degreegausskrugercm54e=2593
  pulkovo19423degreegausskrugercm57e=2594 pulkovo19423degreegausskrugercm60e=2595
  pulkovo19423degreegausskrugercm63e=2596 pulkovo19423degreegausskrugercm66e=2597
  pulkovo19423degreegausskrugercm69e=2598 pulkovo19423degreegausskrugercm72e=2599
  pulkovo19423degreegausskrugercm75e=2601 pulkovo19423degreegausskrugercm78e=2602
  pulkovo19423degreegausskrugercm81e=2603 pulkovo19423degreegausskrugercm84e=2604
  pulkovo19423degreegausskrugercm87e=2605 pulkovo19423degreegausskrugercm90e=2606
  pulkovo19423degreegausskrugercm93e=2607 pulkovo19423degreegausskrugercm96e=2608
  pulkovo19423degreegausskrugercm99e=2609 pulkovo19423degreegausskrugerzone10=2526
  pulkovo19423degreegausskrugerzone11=2527 pulkovo19423degreegausskrugerzone12=2528
  pulkovo19423degreegausskrugerzone13=2529 pulkovo19423degreegausskrugerzone14=2530
  pulkovo19423degreegausskrugerzone15=2531 pulkovo19423degreegausskrugerzone16=2532
  pulkovo19423degreegausskrugerzone17=2533 pulkovo19423degreegausskrugerzone18=2534
  pulkovo19423degreegausskrugerzone19=2535 pulkovo19423degreegausskrugerzone20=2536
  pulkovo19423degreegausskrugerzone21=2537 pulkovo19423degreegausskrugerzone22=2538
  pulkovo19423degreegausskrugerzone23=2539 pulkovo19423degreegausskrugerzone24=2540
  pulkovo19423degreegausskrugerzone25=2541 pulkovo19423degreegausskrugerzone26=2542
  pulkovo19423degreegausskrugerzone27=2543 pulkovo19423degreegausskrugerzone28=2544
  pulkovo19423degreegausskrugerzone29=2545 pulkovo19423degreegausskrugerzone30=2546
  pulkovo19423degreegausskrugerzone31=2547 pulkovo19423degreegausskrugerzone32=2548
  pulkovo19423degreegausskrugerzone33=2549 pulkovo19423degreegausskrugerzone34=2551
  pulkovo19423degreegausskrugerzone35=2552 pulkovo19423degreegausskrugerzone36=2553
  pulkovo19423degreegausskrugerzone37=2554 pulkovo19423degreegausskrugerzone38=2555
  pulkovo19423degreegausskrugerzone39=2556 pulkovo19423degreegausskrugerzone40=2557
  pulkovo19423degreegausskrugerzone41=2558 pulkovo19423degreegausskrugerzone42=2559
  pulkovo19423degreegausskrugerzone43=2560 pulkovo19423degreegausskrugerzone44=2561
  pulkovo19423degreegausskrugerzone45=2562 pulkovo19423degreegausskrugerzone46=2563
  pulkovo19423degreegausskrugerzone47=2564 pulkovo19423degreegausskrugerzone48=2565
  pulkovo19423degreegausskrugerzone49=2566 pulkovo19423degreegausskrugerzone50=2567
  pulkovo19423degreegausskrugerzone51=2568 pulkovo19423degreegausskrugerzone52=2569
  pulkovo19423degreegausskrugerzone53=2570 pulkovo19423degreegausskrugerzone54=2571
  pulkovo19423degreegausskrugerzone55=2572 pulkovo19423degreegausskrugerzone56=2573
  pulkovo19423degreegausskrugerzone57=2574 pulkovo19423degreegausskrugerzone58=2575
  pulkovo19423degreegausskrugerzone59=2576 pulkovo19423degreegausskrugerzone6=3146
  pulkovo19423degreegausskrugerzone60=3389 pulkovo19423degreegausskrugerzone61=2578
  pulkovo19423degreegausskrugerzone62=2579 pulkovo19423degreegausskrugerzone63=2580
  pulkovo19423degreegausskrugerzone64=2581 pulkovo19423degreegausskrugerzone7=2523
  pulkovo19423degreegausskrugerzone8=2524 pulkovo19423degreegausskrugerzone9=2525 pulkovo19423degreegkcm102e=2610
  pulkovo19423degreegkcm105e=2611 pulkovo19423degreegkcm108e=2612 pulkovo19423degreegkcm111e=2613
  pulkovo19423degreegkcm114e=2614 pulkovo19423degreegkcm117e=2615 pulkovo19423degreegkcm120e=2616
  pulkovo19423degreegkcm123e=2617 pulkovo19423degreegkcm126e=2618 pulkovo19423degreegkcm129e=2619
  pulkovo19423degreegkcm132e=2620 pulkovo19423degreegkcm135e=2621 pulkovo19423degreegkcm138e=2622
  pulkovo19423degreegkcm141e=2623 pulkovo19423degreegkcm144e=2624 pulkovo19423degreegkcm147e=2625
  pulkovo19423degreegkcm150e=2626 pulkovo19423degreegkcm153e=2627 pulkovo19423degreegkcm156e=2628
  pulkovo19423degreegkcm159e=2629 pulkovo19423degreegkcm162e=2630 pulkovo19423degreegkcm165e=2631
  pulkovo19423degreegkcm168e=2632 pulkovo19423degreegkcm168w=2640 pulkovo19423degreegkcm171e=2633
  pulkovo19423degreegkcm171w=2639 pulkovo19423degreegkcm174e=2634 pulkovo19423degreegkcm174w=2638
  pulkovo19423degreegkcm177e=2635 pulkovo19423degreegkcm177w=2637 pulkovo19423degreegkcm180e=2636
  pulkovo19423degreegkcm18e=3147 pulkovo19423degreegkcm21e=2582 pulkovo19423degreegkcm24e=2583
  pulkovo19423degreegkcm27e=2584 pulkovo19423degreegkcm30e=2585 pulkovo19423degreegkcm33e=2586
  pulkovo19423degreegkcm36e=2587 pulkovo19423degreegkcm39e=2588 pulkovo19423degreegkcm42e=2589
  pulkovo19423degreegkcm45e=2590 pulkovo19423degreegkcm48e=2591 pulkovo19423degreegkcm51e=2592
  pulkovo19423degreegkcm54e=2593 pulkovo19423degreegkcm57e=2594 pulkovo19423degreegkcm60e=2595
  pulkovo19423degreegkcm63e=2596 pulkovo19423degreegkcm66e=2597 pulkovo19423degreegkcm69e=2598
  pulkovo19423degreegkcm72e=2599 pulkovo19423degreegkcm75e=2601 pulkovo19423degreegkcm78e=2602
  pulkovo19423degreegkcm81e=2603 pulkovo19423degreegkcm84e=2604 pulkovo19423degreegkcm87e=2605
  pulkovo19423degreegkcm90e=2606 pulkovo19423degreegkcm93e=2607 pulkovo19423degreegkcm96e=2608
  pulkovo19423degreegkcm99e=2609 pulkovo19423degreegkzone10=2526 pulkovo19423degreegkzone11=2527
  pulkovo19423degreegkzone12=2528 pulkovo19423degreegkzone13=2529 pulkovo19423degreegkzone14=2530
  pulkovo19423degreegkzone15=2531 pulkovo19423degreegkzone16=2532 pulkovo19423degreegkzone17=2533
  pulkovo19423degreegkzone18=2534 pulkovo19423degreegkzone19=2535 pulkovo19423degreegkzone20=2536
  pulkovo19423degreegkzone21=2537 pulkovo19423degreegkzone22=2538 pulkovo19423degreegkzone23=2539
  pulkovo19423degreegkzone24=2540 pulkovo19423degreegkzone25=2541 pulkovo19423degreegkzone26=2542
  pulkovo19423degreegkzone27=2543 pulkovo19423degreegkzone28=2544 pulkovo19423degreegkzone29=2545
  pulkovo19423degreegkzone30=2546 pulkovo19423degreegkzone31=2547 pulkovo19423degreegkzone32=2548
  pulkovo19423degreegkzone33=2549 pulkovo19423degreegkzone34=2551 pulkovo19423degreegkzone35=2552
  pulkovo19423degreegkzone36=2553 pulkovo19423degreegkzone37=2554 pulkovo19423degreegkzone38=2555
  pulkovo19423degreegkzone39=2556 pulkovo19423degreegkzone40=2557 pulkovo19423degreegkzone41=2558
  pulkovo19423degreegkzone42=2559 pulkovo19423degreegkzone43=2560 pulkovo19423degreegkzone44=2561
  pulkovo19423degreegkzone45=2562 pulkovo19423degreegkzone46=2563 pulkovo19423degreegkzone47=2564
  pulkovo19423degreegkzone48=2565 pulkovo19423degreegkzone49=2566 pulkovo19423degreegkzone50=2567
  pulkovo19423degreegkzone51=2568 pulkovo19423degreegkzone52=2569 pulkovo19423degreegkzone53=2570
  pulkovo19423degreegkzone54=2571 pulkovo19423degreegkzone55=2572 pulkovo19423degreegkzone56=2573
  pulkovo19423degreegkzone57=2574 pulkovo19423degreegkzone58=2575 pulkovo19423degreegkzone59=2576
  pulkovo19423degreegkzone6=3146 pulkovo19423degreegkzone60=3389 pulkovo19423degreegkzone61=2578
  pulkovo19423degreegkzone62=2579 pulkovo19423degreegkzone63=2580 pulkovo19423degreegkzone64=2581
  pulkovo19423degreegkzone7=2523 pulkovo19423degreegkzone8=2524 pulkovo19423degreegkzone9=2525 pulkovo194258=4179
  pulkovo1942583degreegausskrugerzone10=3840 pulkovo1942583degreegausskrugerzone3=3837
  pulkovo1942583degreegausskrugerzone3en=5670 pulkovo1942583degreegausskrugerzone4=3838
  pulkovo1942583degreegausskrugerzone4en=5671 pulkovo1942583degreegausskrugerzone5=3329
  pulkovo1942583degreegausskrugerzone5en=5672 pulkovo1942583degreegausskrugerzone6=3330
  pulkovo1942583degreegausskrugerzone7=3331 pulkovo1942583degreegausskrugerzone8=3332
  pulkovo1942583degreegausskrugerzone9=3839 pulkovo194258gausskrugerzone2=3833 pulkovo194258gausskrugerzone2en=5631
  pulkovo194258gausskrugerzone3=3333 pulkovo194258gausskrugerzone3en=5663 pulkovo194258gausskrugerzone4=3334
  pulkovo194258gausskrugerzone5=3335 pulkovo194258gugik80=3328 pulkovo194258polandzonei=3120
  pulkovo194258polandzoneii=2172 pulkovo194258polandzoneiii=2173 pulkovo194258polandzoneiv=2174
  pulkovo194258polandzonev=2175 pulkovo194258stereo70=3844 pulkovo194283=4178
  pulkovo1942833degreegausskrugerzone3=2397 pulkovo1942833degreegausskrugerzone3en=5673
  pulkovo1942833degreegausskrugerzone4=2398 pulkovo1942833degreegausskrugerzone4en=5674
  pulkovo1942833degreegausskrugerzone5=2399 pulkovo1942833degreegausskrugerzone5en=5675
  pulkovo1942833degreegausskrugerzone6=3841 pulkovo1942833degreegausskrugerzone7=4417
  pulkovo1942833degreegausskrugerzone8=4434 pulkovo194283gausskrugerzone2=3834 pulkovo194283gausskrugerzone2en=5664
  pulkovo194283gausskrugerzone3=3835 pulkovo194283gausskrugerzone3en=5665 pulkovo194283gausskrugerzone4=3836
  pulkovo194283gausskrugerzone5=2168 pulkovo1942adj19583degreegkzone10=3840 pulkovo1942adj19583degreegkzone3=3837
  pulkovo1942adj19583degreegkzone3en=5670 pulkovo1942adj19583degreegkzone4=3838
  pulkovo1942adj19583degreegkzone4en=5671 pulkovo1942adj19583degreegkzone5=3329
  pulkovo1942adj19583degreegkzone5en=5672 pulkovo1942adj19583degreegkzone6=3330 pulkovo1942adj19583degreegkzone7=3331
  pulkovo1942adj19583degreegkzone8=3332 pulkovo1942adj19583degreegkzone9=3839 pulkovo1942adj1958gkzone2=3833
  pulkovo1942adj1958gkzone2en=5631 pulkovo1942adj1958gkzone3=3333 pulkovo1942adj1958gkzone3en=5663
  pulkovo1942adj1958gkzone4=3334 pulkovo1942adj1958gkzone5=3335 pulkovo1942adj1958gugik80=3328
  pulkovo1942adj1958polandzonei=3120 pulkovo1942adj1958polandzoneii=2172 pulkovo1942adj1958polandzoneiii=2173
  pulkovo1942adj1958polandzoneiv=2174 pulkovo1942adj1958polandzonev=2175 pulkovo1942adj19833degreegkzone3=2397
  pulkovo1942adj19833degreegkzone3en=5673 pulkovo1942adj19833degreegkzone4=2398
  pulkovo1942adj19833degreegkzone4en=5674 pulkovo1942adj19833degreegkzone5=2399
  pulkovo1942adj19833degreegkzone5en=5675 pulkovo1942adj19833degreegkzone6=3841 pulkovo1942adj19833degreegkzone7=4417
  pulkovo1942adj19833degreegkzone8=4434 pulkovo1942adj1983gkzone2=3834 pulkovo1942adj1983gkzone2en=5664
  pulkovo1942adj1983gkzone3=3835 pulkovo1942adj1983gkzone3en=5665 pulkovo1942adj1983gkzone4=3836
  pulkovo1942adj58stereo70=3844 pulkovo1942caspianseamercator=3388 pulkovo1942cs63zonea1=2935
  pulkovo1942cs63zonea2=2936 pulkovo1942cs63zonea3=2937 pulkovo1942cs63zonea4=2938 pulkovo1942cs63zonec0=3350
  pulkovo1942cs63zonec1=3351 pulkovo1942cs63zonec2=3352 pulkovo1942cs63zonek2=2939 pulkovo1942cs63zonek3=2940
  pulkovo1942cs63zonek4=2941 pulkovo1942cs63zonex1=7825 pulkovo1942cs63zonex2=7826 pulkovo1942cs63zonex3=7827
  pulkovo1942cs63zonex4=7828 pulkovo1942cs63zonex5=7829 pulkovo1942cs63zonex6=7830 pulkovo1942cs63zonex7=7831
  pulkovo1942gausskruger10n=28470 pulkovo1942gausskruger11n=28471 pulkovo1942gausskruger12n=28472
  pulkovo1942gausskruger13n=28473 pulkovo1942gausskruger14n=28474 pulkovo1942gausskruger15n=28475
  pulkovo1942gausskruger16n=28476 pulkovo1942gausskruger17n=28477 pulkovo1942gausskruger18n=28478
  pulkovo1942gausskruger19n=28479 pulkovo1942gausskruger20n=28480 pulkovo1942gausskruger21n=28481
  pulkovo1942gausskruger22n=28482 pulkovo1942gausskruger23n=28483 pulkovo1942gausskruger24n=28484
  pulkovo1942gausskruger25n=28485 pulkovo1942gausskruger26n=28486 pulkovo1942gausskruger27n=28487
  pulkovo1942gausskruger28n=28488 pulkovo1942gausskruger29n=28489 pulkovo1942gausskruger2n=28462
  pulkovo1942gausskruger30n=28490 pulkovo1942gausskruger31n=28491 pulkovo1942gausskruger32n=28492
  pulkovo1942gausskruger3n=28463 pulkovo1942gausskruger4n=28464 pulkovo1942gausskruger5n=28465
  pulkovo1942gausskruger6n=28466 pulkovo1942gausskruger7n=28467 pulkovo1942gausskruger8n=28468
  pulkovo1942gausskruger9n=28469 pulkovo1942gausskrugercm105e=2508 pulkovo1942gausskrugercm111e=2509
  pulkovo1942gausskrugercm117e=2510 pulkovo1942gausskrugercm123e=2511 pulkovo1942gausskrugercm129e=2512
  pulkovo1942gausskrugercm135e=2513 pulkovo1942gausskrugercm141e=2514 pulkovo1942gausskrugercm147e=2515
  pulkovo1942gausskrugercm153e=2516 pulkovo1942gausskrugercm159e=2517 pulkovo1942gausskrugercm15e=2493
  pulkovo1942gausskrugercm165e=2518 pulkovo1942gausskrugercm171e=2519 pulkovo1942gausskrugercm171w=2522
  pulkovo1942gausskrugercm177e=2520 pulkovo1942gausskrugercm177w=2521 pulkovo1942gausskrugercm21e=2494
  pulkovo1942gausskrugercm27e=2495 pulkovo1942gausskrugercm33e=2496 pulkovo1942gausskrugercm39e=2497
  pulkovo1942gausskrugercm45e=2498 pulkovo1942gausskrugercm51e=2499 pulkovo1942gausskrugercm57e=2500
  pulkovo1942gausskrugercm63e=2501 pulkovo1942gausskrugercm69e=2502 pulkovo1942gausskrugercm75e=2503
  pulkovo1942gausskrugercm81e=2504 pulkovo1942gausskrugercm87e=2505 pulkovo1942gausskrugercm93e=2506
  pulkovo1942gausskrugercm99e=2507 pulkovo1942gausskrugercm9e=2492 pulkovo1942gausskrugerzone10=28410
  pulkovo1942gausskrugerzone11=28411 pulkovo1942gausskrugerzone12=28412 pulkovo1942gausskrugerzone13=28413
  pulkovo1942gausskrugerzone14=28414 pulkovo1942gausskrugerzone15=28415 pulkovo1942gausskrugerzone16=28416
  pulkovo1942gausskrugerzone17=28417 pulkovo1942gausskrugerzone18=28418 pulkovo1942gausskrugerzone19=28419
  pulkovo1942gausskrugerzone2=28402 pulkovo1942gausskrugerzone20=28420 pulkovo1942gausskrugerzone21=28421
  pulkovo1942gausskrugerzone22=28422 pulkovo1942gausskrugerzone23=28423 pulkovo1942gausskrugerzone24=28424
  pulkovo1942gausskrugerzone25=28425 pulkovo1942gausskrugerzone26=28426 pulkovo1942gausskrugerzone27=28427
  pulkovo1942gausskrugerzone28=28428 pulkovo1942gausskrugerzone29=28429 pulkovo1942gausskrugerzone3=28403
  pulkovo1942gausskrugerzone30=28430 pulkovo1942gausskrugerzone31=28431 pulkovo1942gausskrugerzone32=28432
  pulkovo1942gausskrugerzone4=28404 pulkovo1942gausskrugerzone5=28405 pulkovo1942gausskrugerzone6=28406
  pulkovo1942gausskrugerzone7=28407 pulkovo1942gausskrugerzone8=28408 pulkovo1942gausskrugerzone9=28409
  pulkovo1942gkzone10=28410 pulkovo1942gkzone10n=28470 pulkovo1942gkzone11=28411 pulkovo1942gkzone11n=28471
  pulkovo1942gkzone12=28412 pulkovo1942gkzone12n=28472 pulkovo1942gkzone13=28413 pulkovo1942gkzone13n=28473
  pulkovo1942gkzone14=28414 pulkovo1942gkzone14n=28474 pulkovo1942gkzone15=28415 pulkovo1942gkzone15n=28475
  pulkovo1942gkzone16=28416 pulkovo1942gkzone16n=28476 pulkovo1942gkzone17=28417 pulkovo1942gkzone17n=28477
  pulkovo1942gkzone18=28418 pulkovo1942gkzone18n=28478 pulkovo1942gkzone19=28419 pulkovo1942gkzone19n=28479
  pulkovo1942gkzone2=28402 pulkovo1942gkzone20=28420 pulkovo1942gkzone20n=28480 pulkovo1942gkzone21=28421
  pulkovo1942gkzone21n=28481 pulkovo1942gkzone22=28422 pulkovo1942gkzone22n=28482 pulkovo1942gkzone23=28423
  pulkovo1942gkzone23n=28483 pulkovo1942gkzone24=28424 pulkovo1942gkzone24n=28484 pulkovo1942gkzone25=28425
  pulkovo1942gkzone25n=28485 pulkovo1942gkzone26=28426 pulkovo1942gkzone26n=28486 pulkovo1942gkzone27=28427
  pulkovo1942gkzone27n=28487 pulkovo1942gkzone28=28428 pulkovo1942gkzone28n=28488 pulkovo1942gkzone29=28429
  pulkovo1942gkzone29n=28489 pulkovo1942gkzone2n=28462 pulkovo1942gkzone3=28403 pulkovo1942gkzone30=28430
  pulkovo1942gkzone30n=28490 pulkovo1942gkzone31=28431 pulkovo1942gkzone31n=28491 pulkovo1942gkzone32=28432
  pulkovo1942gkzone32n=28492 pulkovo1942gkzone3n=28463 pulkovo1942gkzone4=28404 pulkovo1942gkzone4n=28464
  pulkovo1942gkzone5=28405 pulkovo1942gkzone5n=28465 pulkovo1942gkzone6=28406 pulkovo1942gkzone6n=28466
  pulkovo1942gkzone7=28407 pulkovo1942gkzone7n=28467 pulkovo1942gkzone8=28408 pulkovo1942gkzone8n=28468
  pulkovo1942gkzone9=28409 pulkovo1942gkzone9n=28469 pulkovo1995=4200 pulkovo19953degreegausskrugercm102e=2726
  pulkovo19953degreegausskrugercm105e=2727 pulkovo19953degreegausskrugercm108e=2728
  pulkovo19953degreegausskrugercm111e=2729 pulkovo19953degreegausskrugercm114e=2730
  pulkovo19953degreegausskrugercm117e=2731 pulkovo19953degreegausskrugercm120e=2732
  pulkovo19953degreegausskrugercm123e=2733 pulkovo19953degreegausskrugercm126e=2734
  pulkovo19953degreegausskrugercm129e=2735 pulkovo19953degreegausskrugercm132e=2738
  pulkovo19953degreegausskrugercm135e=2739 pulkovo19953degreegausskrugercm138e=2740
  pulkovo19953degreegausskrugercm141e=2741 pulkovo19953degreegausskrugercm144e=2742
  pulkovo19953degreegausskrugercm147e=2743 pulkovo19953degreegausskrugercm150e=2744
  pulkovo19953degreegausskrugercm153e=2745 pulkovo19953degreegausskrugercm156e=2746
  pulkovo19953degreegausskrugercm159e=2747 pulkovo19953degreegausskrugercm162e=2748
  pulkovo19953degreegausskrugercm165e=2749 pulkovo19953degreegausskrugercm168e=2750
  pulkovo19953degreegausskrugercm168w=2758 pulkovo19953degreegausskrugercm171e=2751
  pulkovo19953degreegausskrugercm171w=2757 pulkovo19953degreegausskrugercm174e=2752
  pulkovo19953degreegausskrugercm174w=2756 pulkovo19953degreegausskrugercm177e=2753
  pulkovo19953degreegausskrugercm177w=2755 pulkovo19953degreegausskrugercm180e=2754
  pulkovo19953degreegausskrugercm18e=3151 pulkovo19953degreegausskrugercm21e=2699
  pulkovo19953degreegausskrugercm24e=2700 pulkovo19953degreegausskrugercm27e=2701
  pulkovo19953degreegausskrugercm30e=2702 pulkovo19953degreegausskrugercm33e=2703
  pulkovo19953degreegausskrugercm36e=2704 pulkovo19953degreegausskrugercm39e=2705
  pulkovo19953degreegausskrugercm42e=2706 pulkovo19953degreegausskrugercm45e=2707
  pulkovo19953degreegausskrugercm48e=2708 pulkovo19953degreegausskrugercm51e=2709
  pulkovo19953degreegausskrugercm54e=2710 pulkovo19953degreegausskrugercm57e=2711
  pulkovo19953degreegausskrugercm60e=2712 pulkovo19953degreegausskrugercm63e=2713
  pulkovo19953degreegausskrugercm66e=2714 pulkovo19953degreegausskrugercm69e=2715
  pulkovo19953degreegausskrugercm72e=2716 pulkovo19953degreegausskrugercm75e=2717
  pulkovo19953degreegausskrugercm78e=2718 pulkovo19953degreegausskrugercm81e=2719
  pulkovo19953degreegausskrugercm84e=2720 pulkovo19953degreegausskrugercm87e=2721
  pulkovo19953degreegausskrugercm90e=2722 pulkovo19953degreegausskrugercm93e=2723
  pulkovo19953degreegausskrugercm96e=2724 pulkovo19953degreegausskrugercm99e=2725
  pulkovo19953degreegausskrugerzone10=2644 pulkovo19953degreegausskrugerzone11=2645
  pulkovo19953degreegausskrugerzone12=2646 pulkovo19953degreegausskrugerzone13=2647
  pulkovo19953degreegausskrugerzone14=2648 pulkovo19953degreegausskrugerzone15=2649
  pulkovo19953degreegausskrugerzone16=2650 pulkovo19953degreegausskrugerzone17=2651
  pulkovo19953degreegausskrugerzone18=2652 pulkovo19953degreegausskrugerzone19=2653
  pulkovo19953degreegausskrugerzone20=2654 pulkovo19953degreegausskrugerzone21=2655
  pulkovo19953degreegausskrugerzone22=2656 pulkovo19953degreegausskrugerzone23=2657
  pulkovo19953degreegausskrugerzone24=2658 pulkovo19953degreegausskrugerzone25=2659
  pulkovo19953degreegausskrugerzone26=2660 pulkovo19953degreegausskrugerzone27=2661
  pulkovo19953degreegausskrugerzone28=2662 pulkovo19953degreegausskrugerzone29=2663
  pulkovo19953degreegausskrugerzone30=2664 pulkovo19953degreegausskrugerzone31=2665
  pulkovo19953degreegausskrugerzone32=2666 pulkovo19953degreegausskrugerzone33=2667
  pulkovo19953degreegausskrugerzone34=2668 pulkovo19953degreegausskrugerzone35=2669
  pulkovo19953degreegausskrugerzone36=2670 pulkovo19953degreegausskrugerzone37=2671
  pulkovo19953degreegausskrugerzone38=2672 pulkovo19953degreegausskrugerzone39=2673
  pulkovo19953degreegausskrugerzone40=2674 pulkovo19953degreegausskrugerzone41=2675
  pulkovo19953degreegausskrugerzone42=2676 pulkovo19953degreegausskrugerzone43=2677
  pulkovo19953degreegausskrugerzone44=2678 pulkovo19953degreegausskrugerzone45=2679
  pulkovo19953degreegausskrugerzone46=2680 pulkovo19953degreegausskrugerzone47=2681
  pulkovo19953degreegausskrugerzone48=2682 pulkovo19953degreegausskrugerzone49=2683
  pulkovo19953degreegausskrugerzone50=2684 pulkovo19953degreegausskrugerzone51=2685
  pulkovo19953degreegausskrugerzone52=2686 pulkovo19953degreegausskrugerzone53=2687
  pulkovo19953degreegausskrugerzone54=2688 pulkovo19953degreegausskrugerzone55=2689
  pulkovo19953degreegausskrugerzone56=2690 pulkovo19953degreegausskrugerzone57=2691
  pulkovo19953degreegausskrugerzone58=2692 pulkovo19953degreegausskrugerzone59=2693
  pulkovo19953degreegausskrugerzone6=3150 pulkovo19953degreegausskrugerzone60=3390
  pulkovo19953degreegausskrugerzone61=2695 pulkovo19953degreegausskrugerzone62=2696
  pulkovo19953degreegausskrugerzone63=2697 pulkovo19953degreegausskrugerzone64=2698
  pulkovo19953degreegausskrugerzone7=2641 pulkovo19953degreegausskrugerzone8=2642
  pulkovo19953degreegausskrugerzone9=2643 pulkovo19953degreegkcm102e=2726 pulkovo19953degreegkcm105e=2727
  pulkovo19953degreegkcm108e=2728 pulkovo19953degreegkcm111e=2729 pulkovo19953degreegkcm114e=2730
  pulkovo19953degreegkcm117e=2731 pulkovo19953degreegkcm120e=2732 pulkovo19953degreegkcm123e=2733
  pulkovo19953degreegkcm126e=2734 pulkovo19953degreegkcm129e=2735 pulkovo19953degreegkcm132e=2738
  pulkovo19953degreegkcm135e=2739 pulkovo19953degreegkcm138e=2740 pulkovo19953degreegkcm141e=2741
  pulkovo19953degreegkcm144e=2742 pulkovo19953degreegkcm147e=2743 pulkovo19953degreegkcm150e=2744
  pulkovo19953degreegkcm153e=2745 pulkovo19953degreegkcm156e=2746 pulkovo19953degreegkcm159e=2747
  pulkovo19953degreegkcm162e=2748 pulkovo19953degreegkcm165e=2749 pulkovo19953degreegkcm168e=2750
  pulkovo19953degreegkcm168w=2758 pulkovo19953degreegkcm171e=2751 pulkovo19953degreegkcm171w=2757
  pulkovo19953degreegkcm174e=2752 pulkovo19953degreegkcm174w=2756 pulkovo19953degreegkcm177e=2753
  pulkovo19953degreegkcm177w=2755 pulkovo19953degreegkcm180e=2754 pulkovo19953degreegkcm18e=3151
  pulkovo19953degreegkcm21e=2699 pulkovo19953degreegkcm24e=2700 pulkovo19953degreegkcm27e=2701
  pulkovo19953degreegkcm30e=2702 pulkovo19953degreegkcm33e=2703 pulkovo19953degreegkcm36e=2704
  pulkovo19953degreegkcm39e=2705 pulkovo19953degreegkcm42e=2706 pulkovo19953degreegkcm45e=2707
  pulkovo19953degreegkcm48e=2708 pulkovo19953degreegkcm51e=2709 pulkovo19953degreegkcm54e=2710
  pulkovo19953degreegkcm57e=2711 pulkovo19953degreegkcm60e=2712 pulkovo19953degreegkcm63e=2713
  pulkovo19953degreegkcm66e=2714 pulkovo19953degreegkcm69e=2715 pulkovo19953degreegkcm72e=2716
  pulkovo19953degreegkcm75e=2717 pulkovo19953degreegkcm78e=2718 pulkovo19953degreegkcm81e=2719
  pulkovo19953degreegkcm84e=2720 pulkovo19953degreegkcm87e=2721 pulkovo19953degreegkcm90e=2722
  pulkovo19953degreegkcm93e=2723 pulkovo19953degreegkcm96e=2724 pulkovo19953degreegkcm99e=2725
  pulkovo19953degreegkzone10=2644 pulkovo19953degreegkzone11=2645 pulkovo19953degreegkzone12=2646
  pulkovo19953degreegkzone13=2647 pulkovo19953degreegkzone14=2648 pulkovo19953degreegkzone15=2649
  pulkovo19953degreegkzone16=2650 pulkovo19953degreegkzone17=2651 pulkovo19953degreegkzone18=2652
  pulkovo19953degreegkzone19=2653 pulkovo19953degreegkzone20=2654 pulkovo19953degreegkzone21=2655
  pulkovo19953degreegkzone22=2656 pulkovo19953degreegkzone23=2657 pulkovo19953degreegkzone24=2658
  pulkovo19953degreegkzone25=2659 pulkovo19953degreegkzone26=2660 pulkovo19953degreegkzone27=2661
  pulkovo19953degreegkzone28=2662 pulkovo19953degreegkzone29=2663 pulkovo19953degreegkzone30=2664
  pulkovo19953degreegkzone31=2665 pulkovo19953degreegkzone32=2666 pulkovo19953degreegkzone33=2667
  pulkovo19953degreegkzone34=2668 pulkovo19953degreegkzone35=2669 pulkovo19953degreegkzone36=2670
  pulkovo19953degreegkzone37=2671 pulkovo19953degreegkzone38=2672 pulkovo19953degreegkzone39=2673
  pulkovo19953degreegkzone40=2674 pulkovo19953degreegkzone41=2675 pulkovo19953degreegkzone42=2676
  pulkovo19953degreegkzone43=2677 pulkovo19953degreegkzone44=2678 pulkovo19953degreegkzone45=2679
  pulkovo19953degreegkzone46=2680 pulkovo19953degreegkzone47=2681 pulkovo19953degreegkzone48=2682
  pulkovo19953degreegkzone49=2683 pulkovo19953degreegkzone50=2684 pulkovo19953degreegkzone51=2685
  pulkovo19953degreegkzone52=2686 pulkovo19953degreegkzone53=2687 pulkovo19953degreegkzone54=2688
  pulkovo19953degreegkzone55=2689 pulkovo19953degreegkzone56=2690 pulkovo19953degreegkzone57=2691
  pulkovo19953degreegkzone58=2692 pulkovo19953degreegkzone59=2693 pulkovo19953degreegkzone6=3150
  pulkovo19953degreegkzone60=3390 pulkovo19953degreegkzone61=2695 pulkovo19953degreegkzone62=2696
  pulkovo19953degreegkzone63=2697 pulkovo19953degreegkzone64=2698 pulkovo19953degreegkzone7=2641
  pulkovo19953degreegkzone8=2642 pulkovo19953degreegkzone9=2643 pulkovo1995gausskruger10n=20070
  pulkovo1995gausskruger11n=20071 pulkovo1995gausskruger12n=20072 pulkovo1995gausskruger13n=20073
  pulkovo1995gausskruger14n=20074 pulkovo1995gausskruger15n=20075 pulkovo1995gausskruger16n=20076
  pulkovo1995gausskruger17n=20077 pulkovo1995gausskruger18n=20078 pulkovo1995gausskruger19n=20079
  pulkovo1995gausskruger20n=20080 pulkovo1995gausskruger21n=20081 pulkovo1995gausskruger22n=20082
  pulkovo1995gausskruger23n=20083 pulkovo1995gausskruger24n=20084 pulkovo1995gausskruger25n=20085
  pulkovo1995gausskruger26n=20086 pulkovo1995gausskruger27n=20087 pulkovo1995gausskruger28n=20088
  pulkovo1995gausskruger29n=20089 pulkovo1995gausskruger30n=20090 pulkovo1995gausskruger31n=20091
  pulkovo1995gausskruger32n=20092 pulkovo1995gausskruger4n=20064 pulkovo1995gausskruger5n=20065
  pulkovo1995gausskruger6n=20066 pulkovo1995gausskruger7n=20067 pulkovo1995gausskruger8n=20068
  pulkovo1995gausskruger9n=20069 pulkovo1995gausskrugercm105e=2477 pulkovo1995gausskrugercm111e=2478
  pulkovo1995gausskrugercm117e=2479 pulkovo1995gausskrugercm123e=2480 pulkovo1995gausskrugercm129e=2481
  pulkovo1995gausskrugercm135e=2482 pulkovo1995gausskrugercm141e=2483 pulkovo1995gausskrugercm147e=2484
  pulkovo1995gausskrugercm153e=2485 pulkovo1995gausskrugercm159e=2486 pulkovo1995gausskrugercm165e=2487
  pulkovo1995gausskrugercm171e=2488 pulkovo1995gausskrugercm171w=2491 pulkovo1995gausskrugercm177e=2489
  pulkovo1995gausskrugercm177w=2490 pulkovo1995gausskrugercm21e=2463 pulkovo1995gausskrugercm27e=2464
  pulkovo1995gausskrugercm33e=2465 pulkovo1995gausskrugercm39e=2466 pulkovo1995gausskrugercm45e=2467
  pulkovo1995gausskrugercm51e=2468 pulkovo1995gausskrugercm57e=2469 pulkovo1995gausskrugercm63e=2470
  pulkovo1995gausskrugercm69e=2471 pulkovo1995gausskrugercm75e=2472 pulkovo1995gausskrugercm81e=2473
  pulkovo1995gausskrugercm87e=2474 pulkovo1995gausskrugercm93e=2475 pulkovo1995gausskrugercm99e=2476
  pulkovo1995gausskrugerzone10=20010 pulkovo1995gausskrugerzone11=20011 pulkovo1995gausskrugerzone12=20012
  pulkovo1995gausskrugerzone13=20013 pulkovo1995gausskrugerzone14=20014 pulkovo1995gausskrugerzone15=20015
  pulkovo1995gausskrugerzone16=20016 pulkovo1995gausskrugerzone17=20017 pulkovo1995gausskrugerzone18=20018
  pulkovo1995gausskrugerzone19=20019 pulkovo1995gausskrugerzone20=20020 pulkovo1995gausskrugerzone21=20021
  pulkovo1995gausskrugerzone22=20022 pulkovo1995gausskrugerzone23=20023 pulkovo1995gausskrugerzone24=20024
  pulkovo1995gausskrugerzone25=20025 pulkovo1995gausskrugerzone26=20026 pulkovo1995gausskrugerzone27=20027
  pulkovo1995gausskrugerzone28=20028 pulkovo1995gausskrugerzone29=20029 pulkovo1995gausskrugerzone30=20030
  pulkovo1995gausskrugerzone31=20031 pulkovo1995gausskrugerzone32=20032 pulkovo1995gausskrugerzone4=20004
  pulkovo1995gausskrugerzone5=20005 pulkovo1995gausskrugerzone6=20006 pulkovo1995gausskrugerzone7=20007
  pulkovo1995gausskrugerzone8=20008 pulkovo1995gausskrugerzone9=20009 pulkovo1995gkzone10=20010
  pulkovo1995gkzone10n=20070 pulkovo1995gkzone11=20011 pulkovo1995gkzone11n=20071 pulkovo1995gkzone12=20012
  pulkovo1995gkzone12n=20072 pulkovo1995gkzone13=20013 pulkovo1995gkzone13n=20073 pulkovo1995gkzone14=20014
  pulkovo1995gkzone14n=20074 pulkovo1995gkzone15=20015 pulkovo1995gkzone15n=20075 pulkovo1995gkzone16=20016
  pulkovo1995gkzone16n=20076 pulkovo1995gkzone17=20017 pulkovo1995gkzone17n=20077 pulkovo1995gkzone18=20018
  pulkovo1995gkzone18n=20078 pulkovo1995gkzone19=20019 pulkovo1995gkzone19n=20079 pulkovo1995gkzone2=20002
  pulkovo1995gkzone20=20020 pulkovo1995gkzone20n=20080 pulkovo1995gkzone21=20021 pulkovo1995gkzone21n=20081
  pulkovo1995gkzone22=20022 pulkovo1995gkzone22n=20082 pulkovo1995gkzone23=20023 pulkovo1995gkzone23n=20083
  pulkovo1995gkzone24=20024 pulkovo1995gkzone24n=20084 pulkovo1995gkzone25=20025 pulkovo1995gkzone25n=20085
  pulkovo1995gkzone26=20026 pulkovo1995gkzone26n=20086 pulkovo1995gkzone27=20027 pulkovo1995gkzone27n=20087
  pulkovo1995gkzone28=20028 pulkovo1995gkzone28n=20088 pulkovo1995gkzone29=20029 pulkovo1995gkzone29n=20089
  pulkovo1995gkzone2n=20062 pulkovo1995gkzone3=20003 pulkovo1995gkzone30=20030 pulkovo1995gkzone30n=20090
  pulkovo1995gkzone31=20031 pulkovo1995gkzone31n=20091 pulkovo1995gkzone32=20032 pulkovo1995gkzone32n=20092
  pulkovo1995gkzone3n=20063 pulkovo1995gkzone4=20004 pulkovo1995gkzone4n=20064 pulkovo1995gkzone5=20005
  pulkovo1995gkzone5n=20065 pulkovo1995gkzone6=20006 pulkovo1995gkzone6n=20066 pulkovo1995gkzone7=20007
  pulkovo1995gkzone7n=20067 pulkovo1995gkzone8=20008 pulkovo1995gkzone8n=20068 pulkovo1995gkzone9=20009
  pulkovo1995gkzone9n=20069 pz19903d=4740 pz90=4740 pz9002=104017 pz90023d=9474 pz9011=104018 pz90113d=9475
  qatar1948=4286 qatar1948qatargrid=2099 qatar1974=4285 qatar1974qatarnationalgrid=28600 qatarnationalgrid=28600
  qnd1995qatarnationalgrid=2932 qnd1995utm39n=102143 qnd95=4614 qnd95qatarnationalgrid=2932 qornoq=4287
  qornoq1927=4194 qornoq1927greenlandzone1east=2297 qornoq1927greenlandzone2east=2298
  qornoq1927greenlandzone2west=2299 qornoq1927greenlandzone3east=2300 qornoq1927greenlandzone3west=2301
  qornoq1927greenlandzone4east=2302 qornoq1927greenlandzone4west=2303 qornoq1927greenlandzone5west=2304
  qornoq1927greenlandzone6west=2305 qornoq1927greenlandzone7west=2306 qornoq1927greenlandzone8east=2307
  qornoq1927utmzone22n=2216 qornoq1927utmzone23n=2217 rassadiran=4153 rassadirannakhletaqi=2057 rd83=4745
  rd833degreegausskrugerzone4=3398 rd833degreegausskrugerzone4en=5668 rd833degreegausskrugerzone5=3399
  rd833degreegausskrugerzone5en=5669 rd833degreegkzone4en=5668 rd833degreegkzone5en=5669 rd83gkzone4=3398
  rd83gkzone5=3399 rdn2008=6706 rdn20083d=6706 rdn2008italyzone=6875 rdn2008italyzoneen=7794 rdn2008italyzonene=6875
  rdn2008tm32=6707 rdn2008tm33=6708 rdn2008tm34=6709 rdn2008utmzone32n=7791 rdn2008utmzone32nne=6707
  rdn2008utmzone33n=7792 rdn2008utmzone33nne=6708 rdn2008utmzone34n=7793 rdn2008utmzone34nne=6709 rdn2008zone12=6876
  rdn2008zone12en=7795 rdn2008zone12ne=6876 rdnew=28992 rdold=28991 redgeomin=9696 redgeomin3d=9696
  redgeominutmzone12s=9697 redgeominutmzone18s=9698 redgeominutmzone19s=9699 regcan95=4081 regcan953d=4081
  regcan95laeaeurope=5635 regcan95lcceurope=5634 regcan95utmzone27n=4082 regcan95utmzone28n=4083 regven=4189
  regven3d=4189 regvenutmzone18n=2201 regvenutmzone19n=2202 regvenutmzone20n=2203 reunion1947=4626
  reunion1947tmreunion=3727 reykjavik1900=4657 reykjavik1900lambert1900=3052 rgaf09=5489 rgaf093d=5489
  rgaf09lonlat=7086 rgaf09lonlat3d=5489 rgaf09utmzone20n=5490 rgf19933d=4171 rgf1993cc42=3942 rgf1993cc43=3943
  rgf1993cc44=3944 rgf1993cc45=3945 rgf1993cc46=3946 rgf1993cc47=3947 rgf1993cc48=3948 rgf1993cc49=3949
  rgf1993cc50=3950 rgf1993lambert93=2154 rgf933d=4171 rgf93lonlat=7084 rgf93lonlat3d=4171 rgf93v1=4171
  rgf93v1cc42=3942 rgf93v1cc43=3943 rgf93v1cc44=3944 rgf93v1cc45=3945 rgf93v1cc46=3946 rgf93v1cc47=3947
  rgf93v1cc48=3948 rgf93v1cc49=3949 rgf93v1cc50=3950 rgf93v1lambert93=2154 rgf93v1lonlat=4171 rgf93v2=9777
  rgf93v2b=9782 rgf93v2bcc42=9842 rgf93v2bcc43=9843 rgf93v2bcc44=9844 rgf93v2bcc45=9845 rgf93v2bcc46=9846
  rgf93v2bcc47=9847 rgf93v2bcc48=9848 rgf93v2bcc49=9849 rgf93v2bcc50=9850 rgf93v2blambert93=9794 rgf93v2blonlat=9782
  rgf93v2cc42=9822 rgf93v2cc43=9823 rgf93v2cc44=9824 rgf93v2cc45=9825 rgf93v2cc46=9826 rgf93v2cc47=9827
  rgf93v2cc48=9828 rgf93v2cc49=9829 rgf93v2cc50=9830 rgf93v2lambert93=9793 rgf93v2lonlat=9777 rgfg19953d=4624
  rgfg1995utm22n=2972 rgfg1995utmzone21n=3313 rgfg95=4624 rgfg953d=4624 rgfg95lonlat=7041 rgfg95lonlat3d=4624
  rgfg95utmzone21n=3313 rgfg95utmzone22n=2972 rgm04=4470 rgm04lonlat=7039 rgm04lonlat3d=4470 rgm04utmzone38s=4471
  rgm20043d=4470 rgm2004utmzone38s=4471 rgnc1991=4645 rgnc1991933d=4749 rgnc199193lambertnewcaledonia=3163
  rgnc199193utmzone57s=3169 rgnc199193utmzone58s=3170 rgnc199193utmzone59s=3171 rgnc1991lambertnewcaledonia=2984
  rgnc9193=4749 rgnc9193lambertnewcaledonia=3163 rgnc9193utmzone57s=3169 rgnc9193utmzone58s=3170
  rgnc9193utmzone59s=3171 rgpf=4687 rgpf3d=4687 rgpfutmzone5s=3296 rgpfutmzone6s=3297 rgpfutmzone7s=3298
  rgpfutmzone8s=3299 rgr19923d=4627 rgr1992utm39s=5644 rgr1992utm40s=2975 rgr92=4627 rgr923d=4627 rgr92lonlat=7037
  rgr92lonlat3d=4627 rgr92utmzone39s=5644 rgr92utmzone40s=2975 rgrdc2005=4046 rgrdc20053d=4046
  rgrdc2005congotmzone12=4048 rgrdc2005congotmzone14=4049 rgrdc2005congotmzone16=4050 rgrdc2005congotmzone18=4051
  rgrdc2005congotmzone20=4056 rgrdc2005congotmzone22=4057 rgrdc2005congotmzone24=4058 rgrdc2005congotmzone26=4059
  rgrdc2005congotmzone28=4060 rgrdc2005congotmzone30=5844 rgrdc2005utmzone33s=4061 rgrdc2005utmzone34s=4062
  rgrdc2005utmzone35s=4063 rgspm06=4463 rgspm06lonlat=7035 rgspm06lonlat3d=4463 rgspm06utmzone21n=4467
  rgspm20063d=4463 rgspm2006utmzone21n=4467 rgtaaf07=7073 rgtaaf073d=7073 rgtaaf07lonlat=7133 rgtaaf07lonlat3d=7073
  rgtaaf07terreadeliepolarstereographic=7082 rgtaaf07utmzone37s=7074 rgtaaf07utmzone38s=7075 rgtaaf07utmzone39s=7076
  rgtaaf07utmzone40s=7077 rgtaaf07utmzone41s=7078 rgtaaf07utmzone42s=7079 rgtaaf07utmzone43s=7080
  rgtaaf07utmzone44s=7081 rgtaaf07utmzone53s=8455 rgtaaf07utmzone54s=8456 rgwf96=8900 rgwf963d=8900 rgwf96lonlat=8902
  rgwf96lonlat3d=8900 rgwf96utmzone1s=8903 rhea2015=104994 roma1940gaussboagaest=102093 roma1940gaussboagaovest=102094
  rraf1991=4558 rraf19913d=4558 rraf1991utm20n=4559 rraf1991utmzone20n=4559 rsao13=8699 rsao133d=8699
  rsao13tm12se=9159 rsao13utmzone32s=9156 rsao13utmzone33s=9157 rsao13utmzone34s=9158 rsrgd2000=4764 rsrgd20003d=4764
  rsrgd2000bclc2000=5480 rsrgd2000dglc2000=3852 rsrgd2000mslc2000=5479 rsrgd2000pclc2000=5481 rsrgd2000rsps2000=5482
  rt38=4308 rt380gon=3028 rt3825gono=3029 rt3825gonv=3027 rt3825gonw=30800 rt385gono=3030 rt385gonv=3026
  rt3875gonv=3025 rt38stockholm=4814 rt90=4124 rt900gon=3022 rt9025gono=3023 rt9025gonv=3021 rt9025gonw=2400
  rt905gono=3024 rt905gonv=3020 rt9075gonv=3019 sad196996brazilpolyconic=5530 sad196996utmzone18s=5875
  sad196996utmzone19s=5876 sad196996utmzone20s=5877 sad196996utmzone21s=5531 sad196996utmzone22s=5858
  sad196996utmzone23s=5533 sad196996utmzone24s=5534 sad196996utmzone25s=5535 sad1969brazilpolyconic=29101
  sad1969utmzone17n=5463 sad1969utmzone17s=29187 sad1969utmzone18n=29168 sad1969utmzone18s=29188
  sad1969utmzone19n=29169 sad1969utmzone19s=29189 sad1969utmzone20n=29170 sad1969utmzone20s=29190
  sad1969utmzone21n=29171 sad1969utmzone21s=29191 sad1969utmzone22n=29172 sad1969utmzone22s=29192
  sad1969utmzone23s=29193 sad1969utmzone24s=29194 sad1969utmzone25s=29195 sad69=4618 sad6996=5527
  sad6996brazilpolyconic=5530 sad6996utmzone18s=5875 sad6996utmzone19s=5876 sad6996utmzone20s=5877
  sad6996utmzone21s=5531 sad6996utmzone22s=5858 sad6996utmzone23s=5533 sad6996utmzone24s=5534 sad6996utmzone25s=5535
  sad69brazilpolyconic=29101 sad69utmzone17n=5463 sad69utmzone17s=29187 sad69utmzone18n=29168 sad69utmzone18s=29188
  sad69utmzone19n=29169 sad69utmzone19s=29189 sad69utmzone20n=29170 sad69utmzone20s=29190 sad69utmzone21n=29171
  sad69utmzone21s=29191 sad69utmzone22n=29172 sad69utmzone22s=29192 sad69utmzone23s=29193 sad69utmzone24s=29194
  sad69utmzone25s=29195 sahara=26193 saharadegree=102193 sainteanneutm20n=2970 saintpierreetmiquelon1950=4638
  saintpierreetmiquelon1950utm21n=2987 saintpierreetmiquelon1950utmzone21n=2987 saipanazeq1969=102238 samboja=4125
  sambojautmzone50s=2550 samoa1962samoalambert=3102 santo1965=4730 saobrazutmzone26n=102168 saotome=4823
  sapperhill1943=4292 sapperhill1943utmzone20s=29220 sapperhill1943utmzone21s=29221 schwarzeck=4293
  schwarzecklo2211=29371 schwarzecklo2213=29373 schwarzecklo2215=29375 schwarzecklo2217=29377 schwarzecklo2219=29379
  schwarzecklo2221=29381 schwarzecklo2223=29383 schwarzecklo2225=29385 schwarzeckutmzone33s=29333 scm22grid=9972
  scm22irf=9969 scoresbysund1952=4195 scoresbysund1952greenlandzone5east=2218 scoresbysund1952greenlandzone6east=2221
  segara=4613 segarajakarta=4820 segarajakartaneiez=5329 segaraneiez=3000 segarautmzone50s=2933 segora=4294
  selvagemgrande=4616 selvagemgrande1938utmzone28n=2943 selvagemgrandeutmzone28n=2943 serindung=4295 shgd2015=7886
  shgd20153d=7886 shmg2015=7887 sibungorge1922=5464 sibungorge1922colonygrid=5589 sierraleone1924=4174
  sierraleone1924newcolonygrid=2159 sierraleone1924newwarofficegrid=2160 sierraleone1968=4175
  sierraleone1968utmzone28n=2161 sierraleone1968utmzone29n=2162 sigd61=4726 sirgas1995=4170 sirgas1995utmzone17n=31986
  sirgas1995utmzone17s=31992 sirgas1995utmzone18n=31987 sirgas1995utmzone18s=31993 sirgas1995utmzone19n=31988
  sirgas1995utmzone19s=31994 sirgas1995utmzone20n=31989 sirgas1995utmzone20s=31995 sirgas1995utmzone21n=31990
  sirgas1995utmzone21s=31996 sirgas1995utmzone22n=31991 sirgas1995utmzone22s=31997 sirgas1995utmzone23s=31998
  sirgas1995utmzone24s=31999 sirgas1995utmzone25s=32000 sirgas2000=4674 sirgas20003d=4674
  sirgas2000brazilmercator=5641 sirgas2000brazilpolyconic=5880 sirgas2000utmzone11n=31965 sirgas2000utmzone12n=31966
  sirgas2000utmzone13n=31967 sirgas2000utmzone14n=31968 sirgas2000utmzone15n=31969 sirgas2000utmzone16n=31970
  sirgas2000utmzone17n=31971 sirgas2000utmzone17s=31977 sirgas2000utmzone18n=31972 sirgas2000utmzone18s=31978
  sirgas2000utmzone19n=31973 sirgas2000utmzone19s=31979 sirgas2000utmzone20n=31974 sirgas2000utmzone20s=31980
  sirgas2000utmzone21n=31975 sirgas2000utmzone21s=31981 sirgas2000utmzone22n=31976 sirgas2000utmzone22s=31982
  sirgas2000utmzone23n=6210 sirgas2000utmzone23s=31983 sirgas2000utmzone24n=6211 sirgas2000utmzone24s=31984
  sirgas2000utmzone25s=31985 sirgas2000utmzone26s=5396 sirgas3d=4170 sirgaschile=9184 sirgaschile2002=5360
  sirgaschile2002utmzone18s=5362 sirgaschile2002utmzone19s=5361 sirgaschile2010=8949 sirgaschile20103d=8949
  sirgaschile2010utmzone18s=8950 sirgaschile2010utmzone19s=8951 sirgaschile2013=9148 sirgaschile20133d=9148
  sirgaschile2013utmzone18s=9149 sirgaschile2013utmzone19s=9150 sirgaschile2016=9153 sirgaschile20163d=9153
  sirgaschile2016utmzone18s=9154 sirgaschile2016utmzone19s=9155 sirgaschile2021=20041 sirgaschile2021utmzone12s=20042
  sirgaschile2021utmzone18s=20048 sirgaschile2021utmzone19s=20049 sirgaschileutmzone18s=5362
  sirgaschileutmzone19s=5361 sirgascondgf00p01=8972 sirgascondgf00p013d=8972 sirgascondgf01p01=8973
  sirgascondgf01p013d=8973 sirgascondgf01p02=8974 sirgascondgf01p023d=8974 sirgascondgf02p01=8975
  sirgascondgf02p013d=8975 sirgascondgf04p01=8976 sirgascondgf04p013d=8976 sirgascondgf05p01=8977
  sirgascondgf05p013d=8977 sirgascondgf06p01=8978 sirgascondgf06p013d=8978 sirgascondgf07p01=8979
  sirgascondgf07p013d=8979 sirgascondgf08p01=8980 sirgascondgf08p013d=8980 sirgasconsir09p01=8981
  sirgasconsir09p013d=8981 sirgasconsir10p01=8982 sirgasconsir10p013d=8982 sirgasconsir11p01=8983
  sirgasconsir11p013d=8983 sirgasconsir13p01=8984 sirgasconsir13p013d=8984 sirgasconsir14p01=8985
  sirgasconsir14p013d=8985 sirgasconsir15p01=8986 sirgasconsir15p013d=8986 sirgasconsir17p01=8987
  sirgasconsir17p013d=8987 sirgases20078=5393 sirgases200783d=5393 sirgasrou98=5381 sirgasrou983d=5381
  sirgasrou98utmzone21s=5382 sirgasrou98utmzone22s=5383 sirgasutmzone17n=31986 sirgasutmzone17s=31992
  sirgasutmzone18n=31987 sirgasutmzone18s=31993 sirgasutmzone19n=31988 sirgasutmzone19s=31994 sirgasutmzone20n=31989
  sirgasutmzone20s=31995 sirgasutmzone21n=31990 sirgasutmzone21s=31996 sirgasutmzone22n=31991 sirgasutmzone22s=31997
  sirgasutmzone23s=31998 sirgasutmzone24s=31999 sirgasutmzone25s=32000 sisterislandsnationalgrid1961=6129 sjtsk=4156
  sjtsk05=5228 sjtsk053d=104696 sjtsk05ferro=5229 sjtsk05ferro3d=104697 sjtsk05ferromodifiedkrovak=5224
  sjtsk05ferromodifiedkrovakeastnorth=5225 sjtsk05modifiedkrovak=5515 sjtsk05modifiedkrovakeastnorth=5516
  sjtskferro=4818 sjtskferrokrovak=2065 sjtskferrokrovakeastnorth=5221 sjtskjtsk03=8351 sjtskjtsk033d=104648
  sjtskjtsk03krovak=8352 sjtskjtsk03krovakeastnorth=8353 sjtskkrovak=5513 sjtskkrovakeastnorth=5514 sld99=5233
  sld993d=104693 sld99srilankagrid1999=5235 slovenia1996=4765 slovenia19963d=4765 slovenia1996slovenenationalgrid=3794
  slovenia1996utmzone33n=8687 solomon1968=4718 southamericaalbersequalareaconic=102033
  southamericaequidistantconic=102032 southamericalambertconformalconic=102015 southeastisland1943=6892
  southeastisland1943utmzone40n=6915 southgeorgia1968=4722 southpoleazimuthalequidistant=102019
  southpolegnomonic=102036 southpolelambertazimuthalequalarea=102020 southpoleorthographic=102037
  southpolestereographic=102021 southyemen=4164 southyemengausskrugerzone8=2395 southyemengausskrugerzone9=2396
  southyemengkzone8=2395 southyemengkzone9=2396 sphereaitoff=53043 sphereazimuthalequidistant=53032
  spherebehrmann=53017 spherebonne=53024 spherecassini=53028 spherecompactmiller=53080 spherecrasterparabolic=53046
  spherecylindricalequalarea=53034 sphereeckerti=53015 sphereeckertii=53014 sphereeckertiii=53013 sphereeckertiv=53012
  sphereeckertv=53011 sphereeckertvi=53010 sphereequalearthamericas=53036 sphereequalearthasiapacific=53037
  sphereequalearthgreenwich=53035 sphereequidistantconic=53027 sphereequidistantcylindrical=53002
  sphereflatpolarquartic=53045 spheregallstereographic=53016 spherehammeraitoff=53044 spherehotine=53025
  sphereloximuthal=53023 spheremercator=53004 spheremillercylindrical=53003 spheremollweide=53009
  spherenaturalearth=53077 spherenaturalearthii=53078 spherepatterson=53079 sphereplatecarree=53001
  spherepolyconic=53021 spherequarticauthalic=53022 sphererobinson=53030 spheresinusoidal=53008
  spherestereographic=53026 spheretimes=53048 spheretwopointequidistant=53031 spherevandergrinteni=53029
  sphereverticalperspective=53049 spherewagneriv=53074 spherewagnerv=53075 spherewagnervii=53076 spherewinkeli=53018
  spherewinkelii=53019 spherewinkeltripelngs=53042 srbetrs89=8685 srbetrs893d=8685 srbetrs89utmzone34n=8682
  sref98=4075 sref983d=4075 srgi2013=9470 srgi20133d=9470 srgi2013utmzone46n=9476 srgi2013utmzone47n=9477
  srgi2013utmzone47s=9487 srgi2013utmzone48n=9478 srgi2013utmzone48s=9488 srgi2013utmzone49n=9479
  srgi2013utmzone49s=9489 srgi2013utmzone50n=9480 srgi2013utmzone50s=9490 srgi2013utmzone51n=9481
  srgi2013utmzone51s=9491 srgi2013utmzone52n=9482 srgi2013utmzone52s=9492 srgi2013utmzone53s=9493
  srgi2013utmzone54s=9494 st71belep=4643 st71beleputm58s=2997 st71beleputmzone58s=2997 st74=3152 st84iledespins=4642
  st84iledespinsutm58s=2996 st84iledespinsutmzone58s=2996 st87ouvea=4750 st87ouveautm58s=3164 st87ouveautmzone58s=3164
  stereo33=31600 stereo70=31700 stgeorgeisland=4138 sthelenatritan=7881 sthelenatritan3d=7881
  sthelenatritanshlgtritan=7882 sthelenatritanutmzone30s=7883 stkitts1955=4605 stkitts1955britishwestindiesgrid=2005
  stlawrenceisland=4136 stlucia1955=4606 stlucia1955britishwestindiesgrid=2006 stpaulisland=4137 ststephenferro=8043
  ststephengridferro=8045 stvincent1945=4607 stvincent1945britishwestindiesgrid=2007
  stvincent45britishwestindiesgrid=2007 sudalgerie=30592 sudalgerieancienne=30492 sudalgerieanciennedegree=102492
  sudalgeriedegree=102592 sudan=4296 sudanutmzone35n=29635 sudanutmzone36n=29636 sudmaroc=26192 sudmarocdegree=102192
  sudtunisie=22392 sun2015=104975 svy21=4757 svy21singaporetm=3414 swedishnationalgrid=30800 sweref99=4619
  sweref991200=3007 sweref991330=3008 sweref991415=3012 sweref991500=3009 sweref991545=3013 sweref991630=3010
  sweref991715=3014 sweref991800=3011 sweref991845=3015 sweref992015=3016 sweref992145=3017 sweref992315=3018
  sweref993d=4619 sweref99countyst74=3854 sweref99rt900gonemulation=3848 sweref99rt9025gonoemulation=3849
  sweref99rt9025gonvemulation=3847 sweref99rt905gonoemulation=3850 sweref99rt905gonvemulation=3846
  sweref99rt9075gonvemulation=3845 sweref99tm=3006 swisstrf19953d=4151 tahaa1954utm5s=2977 tahaa54=4629
  tahaa54utmzone5s=2977 tahiti1952utm6s=2976 tahiti1979utmzone6s=3304 tahiti52=4628 tahiti52utmzone6s=2976
  tahiti79=4690 tahiti79utmzone6s=3304 tananarive=4297 tananarive1925labordegrid=8441
  tananarive1925parislabordegrid=29701 tananarive1925utmzone38s=29738 tananarive1925utmzone39s=29739
  tananarivelabordegrid=8441 tananariveparis=4810 tananariveparislabordegrid=29701
  tananariveparislabordegridapproximation=29702 tananariveutmzone38s=29738 tananariveutmzone39s=29739 tapiaike=9248
  tapiaikeargentina1=9249 tapiaikeargentina2=9250 tc1948=4303 tc1948utmzone39n=30339 tc1948utmzone40n=30340
  telesto2015=104995 ternisland1961=4707 tete=4127 teteutmzone36s=2736 teteutmzone37s=2737 tethys2015=104996
  tgd2005=5886 tgd20053d=5886 tgd2005tongamapgrid=5887 theworldfromspace=102038 timbalai1948=4298
  timbalai1948rsoborneoch=29871 timbalai1948rsoborneochains=29871 timbalai1948rsoborneofeet=29872
  timbalai1948rsoborneoftse=29872 timbalai1948rsoborneom=29873 timbalai1948rsoborneometers=29873
  timbalai1948rsosarawaklsdm=29874 timbalai1948utmzone49n=29849 timbalai1948utmzone50n=29850 tm65=4299
  tm65irishgrid=29902 tm65irishnationalgrid=29900 tm75=4300 tm75irishgrid=29903 tokyo=4301 tokyo1892=5132
  tokyo1892koreacentralbelt=5170 tokyo1892koreaeastbelt=5171 tokyo1892koreaeastseabelt=5172
  tokyo1892koreawestbelt=5169 tokyojapanplanerectangularcsi=30161 tokyojapanplanerectangularcsii=30162
  tokyojapanplanerectangularcsiii=30163 tokyojapanplanerectangularcsiv=30164 tokyojapanplanerectangularcsix=30169
  tokyojapanplanerectangularcsv=30165 tokyojapanplanerectangularcsvi=30166 tokyojapanplanerectangularcsvii=30167
  tokyojapanplanerectangularcsviii=30168 tokyojapanplanerectangularcsx=30170 tokyojapanplanerectangularcsxi=30171
  tokyojapanplanerectangularcsxii=30172 tokyojapanplanerectangularcsxiii=30173 tokyojapanplanerectangularcsxiv=30174
  tokyojapanplanerectangularcsxix=30179 tokyojapanplanerectangularcsxv=30175 tokyojapanplanerectangularcsxvi=30176
  tokyojapanplanerectangularcsxvii=30177 tokyojapanplanerectangularcsxviii=30178 tokyoutmzone51n=3092
  tokyoutmzone52n=3093 tokyoutmzone53n=3094 tokyoutmzone54n=3095 tokyoutmzone55n=3096 tokyoutmzone56n=102156
  tpen11grid=9367 tpen11irf=9364 trinidad1903=4302 trinidad1903trinidadgrid=30200
  trinidad1903trinidadgridfeetclarke=2314 trinidad1903trinidadgridftcla=2314 tristan1968=4734 turef=5252 turef3d=5252
  turef3degreegausskrugerzone10=5270 turef3degreegausskrugerzone11=5271 turef3degreegausskrugerzone12=5272
  turef3degreegausskrugerzone13=5273 turef3degreegausskrugerzone14=5274 turef3degreegausskrugerzone15=5275
  turef3degreegausskrugerzone9=5269 turef3degreegkzone10=5270 turef3degreegkzone11=5271 turef3degreegkzone12=5272
  turef3degreegkzone13=5273 turef3degreegkzone14=5274 turef3degreegkzone15=5275 turef3degreegkzone9=5269
  tureflaeaeurope=5636 tureflcceurope=5637 tureftm27=5253 tureftm30=5254 tureftm33=5255 tureftm36=5256 tureftm39=5257
  tureftm42=5258 tureftm45=5259 twd1967tmpenghu=3827 twd1967tmtaiwan=3828 twd19973d=3824 twd1997tmpenghu=3825
  twd1997tmtaiwan=3826 twd67=3821 twd67tm2zone119=3827 twd67tm2zone121=3828 twd97=3824 twd97tm2zone119=3825
  twd97tm2zone121=3826 ucs2000=5561 ucs20003degreegausskrugercm21e=5577 ucs20003degreegausskrugercm24e=5578
  ucs20003degreegausskrugercm27e=5579 ucs20003degreegausskrugercm30e=5580 ucs20003degreegausskrugercm33e=5581
  ucs20003degreegausskrugercm36e=5582 ucs20003degreegausskrugercm39e=5583 ucs20003degreegausskrugerzone10=5573
  ucs20003degreegausskrugerzone11=5574 ucs20003degreegausskrugerzone12=5575 ucs20003degreegausskrugerzone13=5576
  ucs20003degreegausskrugerzone7=5570 ucs20003degreegausskrugerzone8=5571 ucs20003degreegausskrugerzone9=5572
  ucs2000gausskrugercm21e=5566 ucs2000gausskrugercm27e=5567 ucs2000gausskrugercm33e=5568 ucs2000gausskrugercm39e=5569
  ucs2000gausskrugerzone4=5562 ucs2000gausskrugerzone5=5563 ucs2000gausskrugerzone6=5564 ucs2000gausskrugerzone7=5565
  ucs2000lcs01crimea=9831 ucs2000lcs05vinnytsia=9832 ucs2000lcs07volyn=9833 ucs2000lcs12dnipropetrovsk=9834
  ucs2000lcs14donetsk=9835 ucs2000lcs18zhytomyr=9836 ucs2000lcs21zakarpattia=9837 ucs2000lcs23zaporizhzhia=9838
  ucs2000lcs26ivanofrankivsk=9839 ucs2000lcs32kyivregion=9821 ucs2000lcs35kirovohrad=9840 ucs2000lcs44luhansk=9841
  ucs2000lcs46lviv=9851 ucs2000lcs48mykolaiv=9852 ucs2000lcs51odessa=9853 ucs2000lcs53poltava=9854
  ucs2000lcs56rivne=9855 ucs2000lcs59sumy=9856 ucs2000lcs61ternopil=9857 ucs2000lcs63kharkiv=9858
  ucs2000lcs65kherson=9859 ucs2000lcs68khmelnytsky=9860 ucs2000lcs71cherkasy=9861 ucs2000lcs73chernivtsi=9862
  ucs2000lcs74chernihiv=9863 ucs2000lcs80kyivcity=9864 ucs2000lcs85sevastopol=9865 ucs2000ukrainetmzone10=6384
  ucs2000ukrainetmzone11=6385 ucs2000ukrainetmzone12=6386 ucs2000ukrainetmzone13=6387 ucs2000ukrainetmzone7=6381
  ucs2000ukrainetmzone8=6382 ucs2000ukrainetmzone9=6383 ukraine20003d=5561 ukraine20003degreegkcm21e=5577
  ukraine20003degreegkcm24e=5578 ukraine20003degreegkcm27e=5579 ukraine20003degreegkcm30e=5580
  ukraine20003degreegkcm33e=5581 ukraine20003degreegkcm36e=5582 ukraine20003degreegkcm39e=5583
  ukraine20003degreegkzone10=5573 ukraine20003degreegkzone11=5574 ukraine20003degreegkzone12=5575
  ukraine20003degreegkzone13=5576 ukraine20003degreegkzone7=5570 ukraine20003degreegkzone8=5571
  ukraine20003degreegkzone9=5572 ukraine2000gkcm21e=5566 ukraine2000gkcm27e=5567 ukraine2000gkcm33e=5568
  ukraine2000gkcm39e=5569 ukraine2000gkzone4=5562 ukraine2000gkzone5=5563 ukraine2000gkzone6=5564
  ukraine2000gkzone7=5565 ukraine2000tmzone10=6384 ukraine2000tmzone11=6385 ukraine2000tmzone12=6386
  ukraine2000tmzone13=6387 ukraine2000tmzone7=6381 ukraine2000tmzone8=6382 ukraine2000tmzone9=6383
  unknowndatumbasedupontheairy1830ellipsoid=4001 unknowndatumbasedupontheairymodified1849ellipsoid=4002
  unknowndatumbasedupontheaustraliannationalspheroid=4003 unknowndatumbasedupontheauthalicsphere=4035
  unknowndatumbasedupontheaverageterrestrialsystem1977ellipsoid=4041 unknowndatumbaseduponthebessel1841ellipsoid=4004
  unknowndatumbaseduponthebesselmodifiedellipsoid=4005 unknowndatumbaseduponthebesselnamibiaellipsoid=4006
  unknowndatumbasedupontheclarke1858ellipsoid=4007 unknowndatumbasedupontheclarke1866ellipsoid=4008
  unknowndatumbasedupontheclarke1866michiganellipsoid=4009 unknowndatumbasedupontheclarke1880arcellipsoid=4013
  unknowndatumbasedupontheclarke1880benoitellipsoid=4010 unknowndatumbasedupontheclarke1880ellipsoid=4034
  unknowndatumbasedupontheclarke1880ignellipsoid=4011 unknowndatumbasedupontheclarke1880rgsellipsoid=4012
  unknowndatumbasedupontheclarke1880sga1922ellipsoid=4014
  unknowndatumbasedupontheeverest18301937adjustmentellipsoid=4015
  unknowndatumbasedupontheeverest18301962definitionellipsoid=4044
  unknowndatumbasedupontheeverest18301967definitionellipsoid=4016
  unknowndatumbasedupontheeverest18301975definitionellipsoid=4045
  unknowndatumbasedupontheeverest1830definitionellipsoid=4042
  unknowndatumbasedupontheeverest1830modifiedellipsoid=4018 unknowndatumbaseduponthegem10cellipsoid=4031
  unknowndatumbaseduponthegrs1967ellipsoid=4036 unknowndatumbaseduponthegrs1980ellipsoid=4019
  unknowndatumbaseduponthehelmert1906ellipsoid=4020 unknowndatumbasedupontheindonesiannationalspheroid=4021
  unknowndatumbasedupontheinternational1924ellipsoid=4022 unknowndatumbaseduponthekrassowsky1940ellipsoid=4024
  unknowndatumbaseduponthenwl9dellipsoid=4025 unknowndatumbasedupontheosu86fellipsoid=4032
  unknowndatumbasedupontheosu91aellipsoid=4033 unknowndatumbasedupontheplessis1817ellipsoid=4027
  unknowndatumbaseduponthestruve1860ellipsoid=4028 unknowndatumbaseduponthewarofficeellipsoid=4029
  unknowndatumbaseduponthewgs72ellipsoid=4043 unknowndatumbaseduponthewgs84ellipsoid=4030
  unspecifieddatumbasedupontheclarke1866authalicsphere=4052 unspecifieddatumbaseduponthegrs1980authalicsphere=4047
  unspecifieddatumbaseduponthehughes1980ellipsoid=4054
  unspecifieddatumbasedupontheinternational1924authalicsphere=4053 upsnorth=32661 upssouth=32761
  usacontiguousalbersequalareaconic=102003 usacontiguousalbersequalareaconicusgsversion=102039
  usacontiguousequidistantconic=102005 usacontiguouslambertconformalconic=102004 usnationalatlasequalarea=2163
  utmbangladeshbtm=102953 utmgulshan=102955 uwpp1992=102194 uwpp2000pas5=102195 uwpp2000pas6=102196
  uwpp2000pas7=102197 uwpp2000pas8=102198 vanualevu1915=4748 vanualevu1915vanualevugrid=3139 vientiane1982=4676
  vitilevu1912=4752 vitilevu1912vitilevugrid=3140 vitilevu1916=4731 vn2000=4756 vn2000tm310300=9205
  vn2000tm310400=9206 vn2000tm310430=9207 vn2000tm310445=9208 vn2000tm310530=9209 vn2000tm310545=9210
  vn2000tm310600=9211 vn2000tm310615=9212 vn2000tm310630=9213 vn2000tm310700=9214 vn2000tm310715=9215
  vn2000tm310730=9216 vn2000tm310745=5899 vn2000tm310815=9217 vn2000tm310830=9218 vn2000tm3danangzone=6959
  vn2000tm3zone481=5896 vn2000tm3zone482=5897 vn2000tm3zone491=5898 vn2000utmzone48n=3405 vn2000utmzone49n=3406
  voirol1875=4304 voirol1875nordalgerieancienne=30491 voirol1875paris=4811 voirol1875sudalgerieancienne=30492
  voirol1879=4671 voirol1879nordalgerieancienne=30493 voirol1879paris=4821 voirol1879sudalgerieancienne=30494
  wakeisland1952=4733 wgs19663d=4760 wgs19723d=4322 wgs1972be3d=4324 wgs1972besouthchinasealambert=3415
  wgs1972betm106ne=2094 wgs1972utmzone10n=32210 wgs1972utmzone10s=32310 wgs1972utmzone11n=32211
  wgs1972utmzone11s=32311 wgs1972utmzone12n=32212 wgs1972utmzone12s=32312 wgs1972utmzone13n=32213
  wgs1972utmzone13s=32313 wgs1972utmzone14n=32214 wgs1972utmzone14s=32314 wgs1972utmzone15n=32215
  wgs1972utmzone15s=32315 wgs1972utmzone16n=32216 wgs1972utmzone16s=32316 wgs1972utmzone17n=32217
  wgs1972utmzone17s=32317 wgs1972utmzone18n=32218 wgs1972utmzone18s=32318 wgs1972utmzone19n=32219
  wgs1972utmzone19s=32319 wgs1972utmzone1n=32201 wgs1972utmzone1s=32301 wgs1972utmzone20n=32220
  wgs1972utmzone20s=32320 wgs1972utmzone21n=32221 wgs1972utmzone21s=32321 wgs1972utmzone22n=32222
  wgs1972utmzone22s=32322 wgs1972utmzone23n=32223 wgs1972utmzone23s=32323 wgs1972utmzone24n=32224
  wgs1972utmzone24s=32324 wgs1972utmzone25n=32225 wgs1972utmzone25s=32325 wgs1972utmzone26n=32226
  wgs1972utmzone26s=32326 wgs1972utmzone27n=32227 wgs1972utmzone27s=32327 wgs1972utmzone28n=32228
  wgs1972utmzone28s=32328 wgs1972utmzone29n=32229 wgs1972utmzone29s=32329 wgs1972utmzone2n=32202
  wgs1972utmzone2s=32302 wgs1972utmzone30n=32230 wgs1972utmzone30s=32330 wgs1972utmzone31n=32231
  wgs1972utmzone31s=32331 wgs1972utmzone32n=32232 wgs1972utmzone32s=32332 wgs1972utmzone33n=32233
  wgs1972utmzone33s=32333 wgs1972utmzone34n=32234 wgs1972utmzone34s=32334 wgs1972utmzone35n=32235
  wgs1972utmzone35s=32335 wgs1972utmzone36n=32236 wgs1972utmzone36s=32336 wgs1972utmzone37n=32237
  wgs1972utmzone37s=32337 wgs1972utmzone38n=32238 wgs1972utmzone38s=32338 wgs1972utmzone39n=32239
  wgs1972utmzone39s=32339 wgs1972utmzone3n=32203 wgs1972utmzone3s=32303 wgs1972utmzone40n=32240
  wgs1972utmzone40s=32340 wgs1972utmzone41n=32241 wgs1972utmzone41s=32341 wgs1972utmzone42n=32242
  wgs1972utmzone42s=32342 wgs1972utmzone43n=32243 wgs1972utmzone43s=32343 wgs1972utmzone44n=32244
  wgs1972utmzone44s=32344 wgs1972utmzone45n=32245 wgs1972utmzone45s=32345 wgs1972utmzone46n=32246
  wgs1972utmzone46s=32346 wgs1972utmzone47n=32247 wgs1972utmzone47s=32347 wgs1972utmzone48n=32248
  wgs1972utmzone48s=32348 wgs1972utmzone49n=32249 wgs1972utmzone49s=32349 wgs1972utmzone4n=32204
  wgs1972utmzone4s=32304 wgs1972utmzone50n=32250 wgs1972utmzone50s=32350 wgs1972utmzone51n=32251
  wgs1972utmzone51s=32351 wgs1972utmzone52n=32252 wgs1972utmzone52s=32352 wgs1972utmzone53n=32253
  wgs1972utmzone53s=32353 wgs1972utmzone54n=32254 wgs1972utmzone54s=32354 wgs1972utmzone55n=32255
  wgs1972utmzone55s=32355 wgs1972utmzone56n=32256 wgs1972utmzone56s=32356 wgs1972utmzone57n=32257
  wgs1972utmzone57s=32357 wgs1972utmzone58n=32258 wgs1972utmzone58s=32358 wgs1972utmzone59n=32259
  wgs1972utmzone59s=32359 wgs1972utmzone5n=32205 wgs1972utmzone5s=32305 wgs1972utmzone60n=32260
  wgs1972utmzone60s=32360 wgs1972utmzone6n=32206 wgs1972utmzone6s=32306 wgs1972utmzone7n=32207 wgs1972utmzone7s=32307
  wgs1972utmzone8n=32208 wgs1972utmzone8s=32308 wgs1972utmzone9n=32209 wgs1972utmzone9s=32309 wgs19843d=4326
  wgs1984adamssquareii=54098 wgs1984andamanandnicobarislands=7777 wgs1984andhrapradesh=7756
  wgs1984antarcticpolarstereographic=3031 wgs1984arcsystemzone01=102421 wgs1984arcsystemzone02=102422
  wgs1984arcsystemzone03=102423 wgs1984arcsystemzone04=102424 wgs1984arcsystemzone05=102425
  wgs1984arcsystemzone06=102426 wgs1984arcsystemzone07=102427 wgs1984arcsystemzone08=102428
  wgs1984arcsystemzone09=102429 wgs1984arcsystemzone10=102430 wgs1984arcsystemzone11=102431
  wgs1984arcsystemzone12=102432 wgs1984arcsystemzone13=102433 wgs1984arcsystemzone14=102434
  wgs1984arcsystemzone15=102435 wgs1984arcsystemzone16=102436 wgs1984arcsystemzone17=102437
  wgs1984arcsystemzone18=102438 wgs1984arcticpolarstereographic=3995 wgs1984arunachalpradesh=7757 wgs1984assam=7758
  wgs1984australianantarcticlambert=3033 wgs1984australianantarcticpolarstereographic=3032
  wgs1984australiancentreforremotesensinglambert=4462 wgs1984bihar=7759 wgs1984blmzone14nftus=32664
  wgs1984blmzone15nftus=32665 wgs1984blmzone16nftus=32666 wgs1984blmzone17nftus=32667
  wgs1984californiatealealbersftintl=102759 wgs1984californiatealealbersftus=102599 wgs1984canadaatlaslcc=102215
  wgs1984capeverdegrid=4826 wgs1984chhattisgarh=7778 wgs1984cig92=6720 wgs1984ckig92=6722
  wgs1984complexutmzone20n=102570 wgs1984complexutmzone21n=102571 wgs1984complexutmzone22n=102572
  wgs1984complexutmzone23n=102573 wgs1984complexutmzone24n=102574 wgs1984complexutmzone25n=102575
  wgs1984complexutmzone26n=102576 wgs1984complexutmzone27n=102577 wgs1984complexutmzone28n=102578
  wgs1984complexutmzone29n=102579 wgs1984complexutmzone30n=102580 wgs1984costaricatm90=102223 wgs1984delhi=7760
  wgs1984dubailocaltm=3997 wgs1984easegrid20global=6933 wgs1984easegrid20north=6931 wgs1984easegrid20south=6932
  wgs1984easegridglobal=3975 wgs1984easegridnorth=3973 wgs1984easegridsouth=3974
  wgs1984epsgalaskapolarstereographic=5936 wgs1984epsgarcticregionalzonea1=5921 wgs1984epsgarcticregionalzonea2=5922
  wgs1984epsgarcticregionalzonea3=5923 wgs1984epsgarcticregionalzonea4=5924 wgs1984epsgarcticregionalzonea5=5925
  wgs1984epsgarcticregionalzoneb1=5926 wgs1984epsgarcticregionalzoneb2=5927 wgs1984epsgarcticregionalzoneb3=5928
  wgs1984epsgarcticregionalzoneb4=5929 wgs1984epsgarcticregionalzoneb5=5930 wgs1984epsgarcticregionalzonec1=5931
  wgs1984epsgarcticregionalzonec2=5932 wgs1984epsgarcticregionalzonec3=5933 wgs1984epsgarcticregionalzonec4=5934
  wgs1984epsgarcticregionalzonec5=5935 wgs1984epsgarcticzone121=6118 wgs1984epsgarcticzone127=6115
  wgs1984epsgarcticzone129=6116 wgs1984epsgarcticzone131=6117 wgs1984epsgarcticzone210=6120
  wgs1984epsgarcticzone212=6121 wgs1984epsgarcticzone224=6075 wgs1984epsgarcticzone226=6076
  wgs1984epsgarcticzone228=6119 wgs1984epsgarcticzone313=6077 wgs1984epsgarcticzone315=6078
  wgs1984epsgarcticzone317=6079 wgs1984epsgarcticzone319=6080 wgs1984epsgarcticzone321=6122
  wgs1984epsgarcticzone323=6123 wgs1984epsgarcticzone412=6124 wgs1984epsgarcticzone430=6081
  wgs1984epsgarcticzone432=6082 wgs1984epsgarcticzone434=6083 wgs1984epsgarcticzone436=6084
  wgs1984epsgarcticzone438=6085 wgs1984epsgarcticzone440=6086 wgs1984epsgarcticzone515=6087
  wgs1984epsgarcticzone517=6088 wgs1984epsgarcticzone519=6089 wgs1984epsgarcticzone521=6090
  wgs1984epsgarcticzone523=6091 wgs1984epsgarcticzone525=6092 wgs1984epsgarcticzone527=6093
  wgs1984epsgcanadapolarstereographic=5937 wgs1984epsggreenlandpolarstereographic=5938
  wgs1984epsgnorwaypolarstereographic=5939 wgs1984epsgrussiapolarstereographic=5940 wgs1984equalearthamericas=8858
  wgs1984equalearthasiapacific=8859 wgs1984equalearthgreenwich=8857 wgs1984g1150=9055 wgs1984g11503d=9055
  wgs1984g1674=9056 wgs1984g16743d=9056 wgs1984g1762=9057 wgs1984g17623d=9057 wgs1984g730=9053 wgs1984g7303d=9053
  wgs1984g873=9054 wgs1984g8733d=9054 wgs1984goa=7779 wgs1984gujarat=7761 wgs1984haryana=7762
  wgs1984himachalpradesh=7763 wgs1984ibcaopolarstereographic=3996 wgs1984ibcsopolarstereographic=9354
  wgs1984indianortheast=7771 wgs1984indiansflcc=7755 wgs1984jammuandkashmir=7764 wgs1984jharkhand=7765
  wgs1984karnataka=7780 wgs1984kerala=7781 wgs1984lakshadweep=7782 wgs1984madhyapradesh=7766 wgs1984maharashtra=7767
  wgs1984manipur=7768 wgs1984meghalaya=7769 wgs1984mercator41=3994 wgs1984mizoram=7783 wgs1984nagaland=7770
  wgs1984niwaalbers=9191 wgs1984northpolelaeaalaska=3572 wgs1984northpolelaeaatlantic=3574
  wgs1984northpolelaeaberingsea=3571 wgs1984northpolelaeacanada=3573 wgs1984northpolelaeaeurope=3575
  wgs1984northpolelaearussia=3576 wgs1984nsidcseaicepolarstereographicnorth=3413
  wgs1984nsidcseaicepolarstereographicsouth=3976 wgs1984orissa=7772 wgs1984pdcmercator=3832
  wgs1984peircequincuncialnorthpolediamond=54091 wgs1984peircequincuncialnorthpolesquare=54090
  wgs1984platecarree=32662 wgs1984punjab=7773 wgs1984rajasthan=7774 wgs1984sikkim=7784 wgs1984southgeorgialambert=3762
  wgs1984spilhausoceanmapinsquare=54099 wgs1984tamilnadu=7785 wgs1984tm116se=2309 wgs1984tm12se=5842
  wgs1984tm132se=2310 wgs1984tm36se=32766 wgs1984tm60sw=6703 wgs1984tm6ne=2311 wgs1984tmzn35n=4037 wgs1984tmzn36n=4038
  wgs1984tmzone20nusfeet=8035 wgs1984tmzone21nusfeet=8036 wgs1984toblercylindricali=54100
  wgs1984toblercylindricalii=54101 wgs1984transit=8888 wgs1984transit3d=8888 wgs1984tripura=7786
  wgs1984usgstransantarcticmountains=3294 wgs1984utmgabontm=5223 wgs1984utmgabontm2011=5523 wgs1984utmzone10n=32610
  wgs1984utmzone10s=32710 wgs1984utmzone11n=32611 wgs1984utmzone11s=32711 wgs1984utmzone12n=32612
  wgs1984utmzone12s=32712 wgs1984utmzone13n=32613 wgs1984utmzone13s=32713 wgs1984utmzone14n=32614
  wgs1984utmzone14s=32714 wgs1984utmzone15n=32615 wgs1984utmzone15s=32715 wgs1984utmzone16n=32616
  wgs1984utmzone16s=32716 wgs1984utmzone17n=32617 wgs1984utmzone17s=32717 wgs1984utmzone18n=32618
  wgs1984utmzone18s=32718 wgs1984utmzone19n=32619 wgs1984utmzone19s=32719 wgs1984utmzone1n=32601
  wgs1984utmzone1s=32701 wgs1984utmzone20n=32620 wgs1984utmzone20s=32720 wgs1984utmzone21n=32621
  wgs1984utmzone21s=32721 wgs1984utmzone22n=32622 wgs1984utmzone22s=32722 wgs1984utmzone23n=32623
  wgs1984utmzone23s=32723 wgs1984utmzone24n=32624 wgs1984utmzone24s=32724 wgs1984utmzone25n=32625
  wgs1984utmzone25s=32725 wgs1984utmzone26n=32626 wgs1984utmzone26s=32726 wgs1984utmzone27n=32627
  wgs1984utmzone27s=32727 wgs1984utmzone28n=32628 wgs1984utmzone28s=32728 wgs1984utmzone29n=32629
  wgs1984utmzone29s=32729 wgs1984utmzone2n=32602 wgs1984utmzone2s=32702 wgs1984utmzone30n=32630
  wgs1984utmzone30s=32730 wgs1984utmzone31n=32631 wgs1984utmzone31s=32731 wgs1984utmzone32n=32632
  wgs1984utmzone32s=32732 wgs1984utmzone33n=32633 wgs1984utmzone33s=32733 wgs1984utmzone34n=32634
  wgs1984utmzone34s=32734 wgs1984utmzone35n=32635 wgs1984utmzone35s=32735 wgs1984utmzone36n=32636
  wgs1984utmzone36s=32736 wgs1984utmzone37n=32637 wgs1984utmzone37s=32737 wgs1984utmzone38n=32638
  wgs1984utmzone38s=32738 wgs1984utmzone39n=32639 wgs1984utmzone39s=32739 wgs1984utmzone3n=32603
  wgs1984utmzone3s=32703 wgs1984utmzone40n=32640 wgs1984utmzone40s=32740 wgs1984utmzone41n=32641
  wgs1984utmzone41s=32741 wgs1984utmzone42n=32642 wgs1984utmzone42s=32742 wgs1984utmzone43n=32643
  wgs1984utmzone43s=32743 wgs1984utmzone44n=32644 wgs1984utmzone44s=32744 wgs1984utmzone45n=32645
  wgs1984utmzone45s=32745 wgs1984utmzone46n=32646 wgs1984utmzone46s=32746 wgs1984utmzone47n=32647
  wgs1984utmzone47s=32747 wgs1984utmzone48n=32648 wgs1984utmzone48s=32748 wgs1984utmzone49n=32649
  wgs1984utmzone49s=32749 wgs1984utmzone4n=32604 wgs1984utmzone4s=32704 wgs1984utmzone50n=32650
  wgs1984utmzone50s=32750 wgs1984utmzone51n=32651 wgs1984utmzone51s=32751 wgs1984utmzone52n=32652
  wgs1984utmzone52s=32752 wgs1984utmzone53n=32653 wgs1984utmzone53s=32753 wgs1984utmzone54n=32654
  wgs1984utmzone54s=32754 wgs1984utmzone55n=32655 wgs1984utmzone55s=32755 wgs1984utmzone56n=32656
  wgs1984utmzone56s=32756 wgs1984utmzone57n=32657 wgs1984utmzone57s=32757 wgs1984utmzone58n=32658
  wgs1984utmzone58s=32758 wgs1984utmzone59n=32659 wgs1984utmzone59s=32759 wgs1984utmzone5n=32605
  wgs1984utmzone5s=32705 wgs1984utmzone60n=32660 wgs1984utmzone60s=32760 wgs1984utmzone6n=32606 wgs1984utmzone6s=32706
  wgs1984utmzone7n=32607 wgs1984utmzone7s=32707 wgs1984utmzone8n=32608 wgs1984utmzone8s=32708 wgs1984utmzone9n=32609
  wgs1984utmzone9s=32709 wgs1984uttaranchal=7776 wgs1984uttarpradesh=7775 wgs1984webmercator=3785
  wgs1984webmercatorauxiliarysphere=3857 wgs1984westbengal=7787 wgs1984worldequidistantcylindrical=4087
  wgs1984worldmercator=3395 wgs66=4760 wgs72=4322 wgs72be=4324 wgs72besouthchinasealambert=3415 wgs72betm106ne=2094
  wgs72beutmzone10n=32410 wgs72beutmzone10s=32510 wgs72beutmzone11n=32411 wgs72beutmzone11s=32511
  wgs72beutmzone12n=32412 wgs72beutmzone12s=32512 wgs72beutmzone13n=32413 wgs72beutmzone13s=32513
  wgs72beutmzone14n=32414 wgs72beutmzone14s=32514 wgs72beutmzone15n=32415 wgs72beutmzone15s=32515
  wgs72beutmzone16n=32416 wgs72beutmzone16s=32516 wgs72beutmzone17n=32417 wgs72beutmzone17s=32517
  wgs72beutmzone18n=32418 wgs72beutmzone18s=32518 wgs72beutmzone19n=32419 wgs72beutmzone19s=32519
  wgs72beutmzone1n=32401 wgs72beutmzone1s=32501 wgs72beutmzone20n=32420 wgs72beutmzone20s=32520
  wgs72beutmzone21n=32421 wgs72beutmzone21s=32521 wgs72beutmzone22n=32422 wgs72beutmzone22s=32522
  wgs72beutmzone23n=32423 wgs72beutmzone23s=32523 wgs72beutmzone24n=32424 wgs72beutmzone24s=32524
  wgs72beutmzone25n=32425 wgs72beutmzone25s=32525 wgs72beutmzone26n=32426 wgs72beutmzone26s=32526
  wgs72beutmzone27n=32427 wgs72beutmzone27s=32527 wgs72beutmzone28n=32428 wgs72beutmzone28s=32528
  wgs72beutmzone29n=32429 wgs72beutmzone29s=32529 wgs72beutmzone2n=32402 wgs72beutmzone2s=32502
  wgs72beutmzone30n=32430 wgs72beutmzone30s=32530 wgs72beutmzone31n=32431 wgs72beutmzone31s=32531
  wgs72beutmzone32n=32432 wgs72beutmzone32s=32532 wgs72beutmzone33n=32433 wgs72beutmzone33s=32533
  wgs72beutmzone34n=32434 wgs72beutmzone34s=32534 wgs72beutmzone35n=32435 wgs72beutmzone35s=32535
  wgs72beutmzone36n=32436 wgs72beutmzone36s=32536 wgs72beutmzone37n=32437 wgs72beutmzone37s=32537
  wgs72beutmzone38n=32438 wgs72beutmzone38s=32538 wgs72beutmzone39n=32439 wgs72beutmzone39s=32539
  wgs72beutmzone3n=32403 wgs72beutmzone3s=32503 wgs72beutmzone40n=32440 wgs72beutmzone40s=32540
  wgs72beutmzone41n=32441 wgs72beutmzone41s=32541 wgs72beutmzone42n=32442 wgs72beutmzone42s=32542
  wgs72beutmzone43n=32443 wgs72beutmzone43s=32543 wgs72beutmzone44n=32444 wgs72beutmzone44s=32544
  wgs72beutmzone45n=32445 wgs72beutmzone45s=32545 wgs72beutmzone46n=32446 wgs72beutmzone46s=32546
  wgs72beutmzone47n=32447 wgs72beutmzone47s=32547 wgs72beutmzone48n=32448 wgs72beutmzone48s=32548
  wgs72beutmzone49n=32449 wgs72beutmzone49s=32549 wgs72beutmzone4n=32404 wgs72beutmzone4s=32504
  wgs72beutmzone50n=32450 wgs72beutmzone50s=32550 wgs72beutmzone51n=32451 wgs72beutmzone51s=32551
  wgs72beutmzone52n=32452 wgs72beutmzone52s=32552 wgs72beutmzone53n=32453 wgs72beutmzone53s=32553
  wgs72beutmzone54n=32454 wgs72beutmzone54s=32554 wgs72beutmzone55n=32455 wgs72beutmzone55s=32555
  wgs72beutmzone56n=32456 wgs72beutmzone56s=32556 wgs72beutmzone57n=32457 wgs72beutmzone57s=32557
  wgs72beutmzone58n=32458 wgs72beutmzone58s=32558 wgs72beutmzone59n=32459 wgs72beutmzone59s=32559
  wgs72beutmzone5n=32405 wgs72beutmzone5s=32505 wgs72beutmzone60n=32460 wgs72beutmzone60s=32560 wgs72beutmzone6n=32406
  wgs72beutmzone6s=32506 wgs72beutmzone7n=32407 wgs72beutmzone7s=32507 wgs72beutmzone8n=32408 wgs72beutmzone8s=32508
  wgs72beutmzone9n=32409 wgs72beutmzone9s=32509 wgs72utmzone10n=32210 wgs72utmzone10s=32310 wgs72utmzone11n=32211
  wgs72utmzone11s=32311 wgs72utmzone12n=32212 wgs72utmzone12s=32312 wgs72utmzone13n=32213 wgs72utmzone13s=32313
  wgs72utmzone14n=32214 wgs72utmzone14s=32314 wgs72utmzone15n=32215 wgs72utmzone15s=32315 wgs72utmzone16n=32216
  wgs72utmzone16s=32316 wgs72utmzone17n=32217 wgs72utmzone17s=32317 wgs72utmzone18n=32218 wgs72utmzone18s=32318
  wgs72utmzone19n=32219 wgs72utmzone19s=32319 wgs72utmzone1n=32201 wgs72utmzone1s=32301 wgs72utmzone20n=32220
  wgs72utmzone20s=32320 wgs72utmzone21n=32221 wgs72utmzone21s=32321 wgs72utmzone22n=32222 wgs72utmzone22s=32322
  wgs72utmzone23n=32223 wgs72utmzone23s=32323 wgs72utmzone24n=32224 wgs72utmzone24s=32324 wgs72utmzone25n=32225
  wgs72utmzone25s=32325 wgs72utmzone26n=32226 wgs72utmzone26s=32326 wgs72utmzone27n=32227 wgs72utmzone27s=32327
  wgs72utmzone28n=32228 wgs72utmzone28s=32328 wgs72utmzone29n=32229 wgs72utmzone29s=32329 wgs72utmzone2n=32202
  wgs72utmzone2s=32302 wgs72utmzone30n=32230 wgs72utmzone30s=32330 wgs72utmzone31n=32231 wgs72utmzone31s=32331
  wgs72utmzone32n=32232 wgs72utmzone32s=32332 wgs72utmzone33n=32233 wgs72utmzone33s=32333 wgs72utmzone34n=32234
  wgs72utmzone34s=32334 wgs72utmzone35n=32235 wgs72utmzone35s=32335 wgs72utmzone36n=32236 wgs72utmzone36s=32336
  wgs72utmzone37n=32237 wgs72utmzone37s=32337 wgs72utmzone38n=32238 wgs72utmzone38s=32338 wgs72utmzone39n=32239
  wgs72utmzone39s=32339 wgs72utmzone3n=32203 wgs72utmzone3s=32303 wgs72utmzone40n=32240 wgs72utmzone40s=32340
  wgs72utmzone41n=32241 wgs72utmzone41s=32341 wgs72utmzone42n=32242 wgs72utmzone42s=32342 wgs72utmzone43n=32243
  wgs72utmzone43s=32343 wgs72utmzone44n=32244 wgs72utmzone44s=32344 wgs72utmzone45n=32245 wgs72utmzone45s=32345
  wgs72utmzone46n=32246 wgs72utmzone46s=32346 wgs72utmzone47n=32247 wgs72utmzone47s=32347 wgs72utmzone48n=32248
  wgs72utmzone48s=32348 wgs72utmzone49n=32249 wgs72utmzone49s=32349 wgs72utmzone4n=32204 wgs72utmzone4s=32304
  wgs72utmzone50n=32250 wgs72utmzone50s=32350 wgs72utmzone51n=32251 wgs72utmzone51s=32351 wgs72utmzone52n=32252
  wgs72utmzone52s=32352 wgs72utmzone53n=32253 wgs72utmzone53s=32353 wgs72utmzone54n=32254 wgs72utmzone54s=32354
  wgs72utmzone55n=32255 wgs72utmzone55s=32355 wgs72utmzone56n=32256 wgs72utmzone56s=32356 wgs72utmzone57n=32257
  wgs72utmzone57s=32357 wgs72utmzone58n=32258 wgs72utmzone58s=32358 wgs72utmzone59n=32259 wgs72utmzone59s=32359
  wgs72utmzone5n=32205 wgs72utmzone5s=32305 wgs72utmzone60n=32260 wgs72utmzone60s=32360 wgs72utmzone6n=32206
  wgs72utmzone6s=32306 wgs72utmzone7n=32207 wgs72utmzone7s=32307 wgs72utmzone8n=32208 wgs72utmzone8s=32308
  wgs72utmzone9n=32209 wgs72utmzone9s=32309 wgs84=4326 wgs843d=4326 wgs84andamanandnicobar=7777
  wgs84andhrapradesh=7756 wgs84antarcticpolarstereographic=3031 wgs84arcticpolarstereographic=3995
  wgs84arunachalpradesh=7757 wgs84assam=7758 wgs84australianantarcticlambert=3033
  wgs84australianantarcticpolarstereographic=3032 wgs84australiancentreforremotesensinglambert=4462 wgs84bihar=7759
  wgs84blm14nftus=32664 wgs84blm15nftus=32665 wgs84blm16nftus=32666 wgs84blm17nftus=32667 wgs84capeverdenational=4826
  wgs84chhattisgarh=7778 wgs84cig92=6720 wgs84ckig92=6722 wgs84delhi=7760 wgs84dubailocaltm=3997
  wgs84epsgalaskapolarstereographic=5936 wgs84epsgarcticregionalzonea1=5921 wgs84epsgarcticregionalzonea2=5922
  wgs84epsgarcticregionalzonea3=5923 wgs84epsgarcticregionalzonea4=5924 wgs84epsgarcticregionalzonea5=5925
  wgs84epsgarcticregionalzoneb1=5926 wgs84epsgarcticregionalzoneb2=5927 wgs84epsgarcticregionalzoneb3=5928
  wgs84epsgarcticregionalzoneb4=5929 wgs84epsgarcticregionalzoneb5=5930 wgs84epsgarcticregionalzonec1=5931
  wgs84epsgarcticregionalzonec2=5932 wgs84epsgarcticregionalzonec3=5933 wgs84epsgarcticregionalzonec4=5934
  wgs84epsgarcticregionalzonec5=5935 wgs84epsgarcticzone121=6118 wgs84epsgarcticzone127=6115
  wgs84epsgarcticzone129=6116 wgs84epsgarcticzone131=6117 wgs84epsgarcticzone210=6120 wgs84epsgarcticzone212=6121
  wgs84epsgarcticzone224=6075 wgs84epsgarcticzone226=6076 wgs84epsgarcticzone228=6119 wgs84epsgarcticzone313=6077
  wgs84epsgarcticzone315=6078 wgs84epsgarcticzone317=6079 wgs84epsgarcticzone319=6080 wgs84epsgarcticzone321=6122
  wgs84epsgarcticzone323=6123 wgs84epsgarcticzone412=6124 wgs84epsgarcticzone430=6081 wgs84epsgarcticzone432=6082
  wgs84epsgarcticzone434=6083 wgs84epsgarcticzone436=6084 wgs84epsgarcticzone438=6085 wgs84epsgarcticzone440=6086
  wgs84epsgarcticzone515=6087 wgs84epsgarcticzone517=6088 wgs84epsgarcticzone519=6089 wgs84epsgarcticzone521=6090
  wgs84epsgarcticzone523=6091 wgs84epsgarcticzone525=6092 wgs84epsgarcticzone527=6093
  wgs84epsgcanadapolarstereographic=5937 wgs84epsggreenlandpolarstereographic=5938
  wgs84epsgnorwaypolarstereographic=5939 wgs84epsgrussiapolarstereographic=5940 wgs84equalearthamericas=8858
  wgs84equalearthasiapacific=8859 wgs84equalearthgreenwich=8857 wgs84g1150=9055 wgs84g1674=9056 wgs84g1762=9057
  wgs84g2139=9755 wgs84g730=9053 wgs84g873=9054 wgs84gabontm=5223 wgs84gabontm2011=5523 wgs84geographic3d=4326
  wgs84goa=7779 wgs84gujarat=7761 wgs84haryana=7762 wgs84himachalpradesh=7763 wgs84ibcaopolarstereographic=3996
  wgs84ibcsopolarstereographic=9354 wgs84indianortheast=7771 wgs84indiansflcc=7755 wgs84jammuandkashmir=7764
  wgs84jharkhand=7765 wgs84karnataka=7780 wgs84kerala=7781 wgs84lakshadweep=7782 wgs84madhyapradesh=7766
  wgs84maharashtra=7767 wgs84manipur=7768 wgs84meghalaya=7769 wgs84mercator41=3994 wgs84mizoram=7783
  wgs84nagaland=7770 wgs84niwaalbers=9191 wgs84northpolelaeaalaska=3572 wgs84northpolelaeaatlantic=3574
  wgs84northpolelaeaberingsea=3571 wgs84northpolelaeacanada=3573 wgs84northpolelaeaeurope=3575
  wgs84northpolelaearussia=3576 wgs84nsidceasegrid20global=6933 wgs84nsidceasegrid20north=6931
  wgs84nsidceasegrid20south=6932 wgs84nsidceasegridglobal=3975 wgs84nsidceasegridnorth=3973
  wgs84nsidceasegridsouth=3974 wgs84nsidcseaicepolarstereographicnorth=3413
  wgs84nsidcseaicepolarstereographicsouth=3976 wgs84orissa=7772 wgs84pdcmercator=3832 wgs84platecarree=32662
  wgs84pseudomercator=3857 wgs84punjab=7773 wgs84rajasthan=7774 wgs84scarimwsp1920=3204 wgs84scarimwsp2122=3205
  wgs84scarimwsp2324=3206 wgs84scarimwsq0102=3207 wgs84scarimwsq1920=3208 wgs84scarimwsq2122=3209
  wgs84scarimwsq3738=3210 wgs84scarimwsq3940=3211 wgs84scarimwsq4142=3212 wgs84scarimwsq4344=3213
  wgs84scarimwsq4546=3214 wgs84scarimwsq4748=3215 wgs84scarimwsq4950=3216 wgs84scarimwsq5152=3217
  wgs84scarimwsq5354=3218 wgs84scarimwsq5556=3219 wgs84scarimwsq5758=3220 wgs84scarimwsr1314=3221
  wgs84scarimwsr1516=3222 wgs84scarimwsr1718=3223 wgs84scarimwsr1920=3224 wgs84scarimwsr2728=3225
  wgs84scarimwsr2930=3226 wgs84scarimwsr3132=3227 wgs84scarimwsr3334=3228 wgs84scarimwsr3536=3229
  wgs84scarimwsr3738=3230 wgs84scarimwsr3940=3231 wgs84scarimwsr4142=3232 wgs84scarimwsr4344=3233
  wgs84scarimwsr4546=3234 wgs84scarimwsr4748=3235 wgs84scarimwsr4950=3236 wgs84scarimwsr5152=3237
  wgs84scarimwsr5354=3238 wgs84scarimwsr5556=3239 wgs84scarimwsr5758=3240 wgs84scarimwsr5960=3241
  wgs84scarimwss0406=3242 wgs84scarimwss0709=3243 wgs84scarimwss1012=3244 wgs84scarimwss1315=3245
  wgs84scarimwss1618=3246 wgs84scarimwss1921=3247 wgs84scarimwss2527=3248 wgs84scarimwss2830=3249
  wgs84scarimwss3133=3250 wgs84scarimwss3436=3251 wgs84scarimwss3739=3252 wgs84scarimwss4042=3253
  wgs84scarimwss4345=3254 wgs84scarimwss4648=3255 wgs84scarimwss4951=3256 wgs84scarimwss5254=3257
  wgs84scarimwss5557=3258 wgs84scarimwss5860=3259 wgs84scarimwst0104=3260 wgs84scarimwst0508=3261
  wgs84scarimwst0912=3262 wgs84scarimwst1316=3263 wgs84scarimwst1720=3264 wgs84scarimwst2124=3265
  wgs84scarimwst2528=3266 wgs84scarimwst2932=3267 wgs84scarimwst3336=3268 wgs84scarimwst3740=3269
  wgs84scarimwst4144=3270 wgs84scarimwst4548=3271 wgs84scarimwst4952=3272 wgs84scarimwst5356=3273
  wgs84scarimwst5760=3274 wgs84scarimwsu0105=3275 wgs84scarimwsu0610=3276 wgs84scarimwsu1115=3277
  wgs84scarimwsu1620=3278 wgs84scarimwsu2125=3279 wgs84scarimwsu2630=3280 wgs84scarimwsu3135=3281
  wgs84scarimwsu3640=3282 wgs84scarimwsu4145=3283 wgs84scarimwsu4650=3284 wgs84scarimwsu5155=3285
  wgs84scarimwsu5660=3286 wgs84scarimwsv0110=3287 wgs84scarimwsv1120=3288 wgs84scarimwsv2130=3289
  wgs84scarimwsv3140=3290 wgs84scarimwsv4150=3291 wgs84scarimwsv5160=3292 wgs84scarimwsw0160=3293 wgs84sikkim=7784
  wgs84southgeorgialambert=3762 wgs84tamilnadu=7785 wgs84tm116se=2309 wgs84tm12se=5842 wgs84tm132se=2310
  wgs84tm36se=32766 wgs84tm60sw=6703 wgs84tm6ne=2311 wgs84tm90ne=9680 wgs84tmzn35n=4037 wgs84tmzn36n=4038
  wgs84tmzone20nftus=8035 wgs84tmzone21nftus=8036 wgs84transit=8888 wgs84tripura=7786 wgs84upsnorthen=5041
  wgs84upsnorthne=32661 wgs84upssouthen=5042 wgs84upssouthne=32761 wgs84usgstransantarcticmountains=3294
  wgs84utmgridsystemnorthernhemisphere=32600 wgs84utmgridsystemsouthernhemisphere=32700 wgs84utmzone10n=32610
  wgs84utmzone10s=32710 wgs84utmzone11n=32611 wgs84utmzone11s=32711 wgs84utmzone12n=32612 wgs84utmzone12s=32712
  wgs84utmzone13n=32613 wgs84utmzone13s=32713 wgs84utmzone14n=32614 wgs84utmzone14s=32714 wgs84utmzone15n=32615
  wgs84utmzone15s=32715 wgs84utmzone16n=32616 wgs84utmzone16s=32716 wgs84utmzone17n=32617 wgs84utmzone17s=32717
  wgs84utmzone18n=32618 wgs84utmzone18s=32718 wgs84utmzone19n=32619 wgs84utmzone19s=32719 wgs84utmzone1n=32601
  wgs84utmzone1s=32701 wgs84utmzone20n=32620 wgs84utmzone20s=32720 wgs84utmzone21n=32621 wgs84utmzone21s=32721
  wgs84utmzone22n=32622 wgs84utmzone22s=32722 wgs84utmzone23n=32623 wgs84utmzone23s=32723 wgs84utmzone24n=32624
  wgs84utmzone24s=32724 wgs84utmzone25n=32625 wgs84utmzone25s=32725 wgs84utmzone26n=32626 wgs84utmzone26s=32726
  wgs84utmzone27n=32627 wgs84utmzone27s=32727 wgs84utmzone28n=32628 wgs84utmzone28s=32728 wgs84utmzone29n=32629
  wgs84utmzone29s=32729 wgs84utmzone2n=32602 wgs84utmzone2s=32702 wgs84utmzone30n=32630 wgs84utmzone30s=32730
  wgs84utmzone31n=32631 wgs84utmzone31s=32731 wgs84utmzone32n=32632 wgs84utmzone32s=32732 wgs84utmzone33n=32633
  wgs84utmzone33s=32733 wgs84utmzone34n=32634 wgs84utmzone34s=32734 wgs84utmzone35n=32635 wgs84utmzone35s=32735
  wgs84utmzone36n=32636 wgs84utmzone36s=32736 wgs84utmzone37n=32637 wgs84utmzone37s=32737 wgs84utmzone38n=32638
  wgs84utmzone38s=32738 wgs84utmzone39n=32639 wgs84utmzone39s=32739 wgs84utmzone3n=32603 wgs84utmzone3s=32703
  wgs84utmzone40n=32640 wgs84utmzone40s=32740 wgs84utmzone41n=32641 wgs84utmzone41s=32741 wgs84utmzone42n=32642
  wgs84utmzone42s=32742 wgs84utmzone43n=32643 wgs84utmzone43s=32743 wgs84utmzone44n=32644 wgs84utmzone44s=32744
  wgs84utmzone45n=32645 wgs84utmzone45s=32745 wgs84utmzone46n=32646 wgs84utmzone46s=32746 wgs84utmzone47n=32647
  wgs84utmzone47s=32747 wgs84utmzone48n=32648 wgs84utmzone48s=32748 wgs84utmzone49n=32649 wgs84utmzone49s=32749
  wgs84utmzone4n=32604 wgs84utmzone4s=32704 wgs84utmzone50n=32650 wgs84utmzone50s=32750 wgs84utmzone51n=32651
  wgs84utmzone51s=32751 wgs84utmzone52n=32652 wgs84utmzone52s=32752 wgs84utmzone53n=32653 wgs84utmzone53s=32753
  wgs84utmzone54n=32654 wgs84utmzone54s=32754 wgs84utmzone55n=32655 wgs84utmzone55s=32755 wgs84utmzone56n=32656
  wgs84utmzone56s=32756 wgs84utmzone57n=32657 wgs84utmzone57s=32757 wgs84utmzone58n=32658 wgs84utmzone58s=32758
  wgs84utmzone59n=32659 wgs84utmzone59s=32759 wgs84utmzone5n=32605 wgs84utmzone5s=32705 wgs84utmzone60n=32660
  wgs84utmzone60s=32760 wgs84utmzone6n=32606 wgs84utmzone6s=32706 wgs84utmzone7n=32607 wgs84utmzone7s=32707
  wgs84utmzone8n=32608 wgs84utmzone8s=32708 wgs84utmzone9n=32609 wgs84utmzone9s=32709 wgs84uttaranchal=7776
  wgs84uttarpradesh=7775 wgs84westbengal=7787 wgs84worldequidistantcylindrical=4087 wgs84worldmercator=3395
  worldaitoff=54043 worldazimuthalequidistant=54032 worldbehrmann=54017 worldbonne=54024 worldcassini=54028
  worldcompactmiller=54080 worldcrasterparabolic=54046 worldcube=54051 worldcylindricalequalarea=54034
  worldeckerti=54015 worldeckertii=54014 worldeckertiii=54013 worldeckertiv=54012 worldeckertv=54011
  worldeckertvi=54010 worldequidistantconic=54027 worldequidistantcylindrical=54002
  worldequidistantcylindricalsphere=4088 worldflatpolarquartic=54045 worldfuller=54050 worldgallstereographic=54016
  worldgoodehomolosineland=54052 worldgoodehomolosineocean=54053 worldhammeraitoff=54044 worldhotine=54025
  worldloximuthal=54023 worldmercator=54004 worldmillercylindrical=54003 worldmollweide=54009 worldnaturalearth=54077
  worldnaturalearthii=54078 worldpatterson=54079 worldplatecarree=54001 worldpolyconic=54021
  worldquarticauthalic=54022 worldrobinson=54030 worldsinusoidal=54008 worldstereographic=54026 worldtimes=54048
  worldtwopointequidistant=54031 worldvandergrinteni=54029 worldverticalperspective=54049 worldwagneriv=54074
  worldwagnerv=54075 worldwagnervii=54076 worldwinkeli=54018 worldwinkelii=54019 worldwinkeltripelngs=54042
  xian1980=4610 xian19803degreegausskrugercm102e=2379 xian19803degreegausskrugercm105e=2380
  xian19803degreegausskrugercm108e=2381 xian19803degreegausskrugercm111e=2382 xian19803degreegausskrugercm114e=2383
  xian19803degreegausskrugercm117e=2384 xian19803degreegausskrugercm120e=2385 xian19803degreegausskrugercm123e=2386
  xian19803degreegausskrugercm126e=2387 xian19803degreegausskrugercm129e=2388 xian19803degreegausskrugercm132e=2389
  xian19803degreegausskrugercm135e=2390 xian19803degreegausskrugercm75e=2370 xian19803degreegausskrugercm78e=2371
  xian19803degreegausskrugercm81e=2372 xian19803degreegausskrugercm84e=2373 xian19803degreegausskrugercm87e=2374
  xian19803degreegausskrugercm90e=2375 xian19803degreegausskrugercm93e=2376 xian19803degreegausskrugercm96e=2377
  xian19803degreegausskrugercm99e=2378 xian19803degreegausskrugerzone25=2349 xian19803degreegausskrugerzone26=2350
  xian19803degreegausskrugerzone27=2351 xian19803degreegausskrugerzone28=2352 xian19803degreegausskrugerzone29=2353
  xian19803degreegausskrugerzone30=2354 xian19803degreegausskrugerzone31=2355 xian19803degreegausskrugerzone32=2356
  xian19803degreegausskrugerzone33=2357 xian19803degreegausskrugerzone34=2358 xian19803degreegausskrugerzone35=2359
  xian19803degreegausskrugerzone36=2360 xian19803degreegausskrugerzone37=2361 xian19803degreegausskrugerzone38=2362
  xian19803degreegausskrugerzone39=2363 xian19803degreegausskrugerzone40=2364 xian19803degreegausskrugerzone41=2365
  xian19803degreegausskrugerzone42=2366 xian19803degreegausskrugerzone43=2367 xian19803degreegausskrugerzone44=2368
  xian19803degreegausskrugerzone45=2369 xian19803degreegkcm102e=2379 xian19803degreegkcm105e=2380
  xian19803degreegkcm108e=2381 xian19803degreegkcm111e=2382 xian19803degreegkcm114e=2383 xian19803degreegkcm117e=2384
  xian19803degreegkcm120e=2385 xian19803degreegkcm123e=2386 xian19803degreegkcm126e=2387 xian19803degreegkcm129e=2388
  xian19803degreegkcm132e=2389 xian19803degreegkcm135e=2390 xian19803degreegkcm75e=2370 xian19803degreegkcm78e=2371
  xian19803degreegkcm81e=2372 xian19803degreegkcm84e=2373 xian19803degreegkcm87e=2374 xian19803degreegkcm90e=2375
  xian19803degreegkcm93e=2376 xian19803degreegkcm96e=2377 xian19803degreegkcm99e=2378 xian19803degreegkzone25=2349
  xian19803degreegkzone26=2350 xian19803degreegkzone27=2351 xian19803degreegkzone28=2352 xian19803degreegkzone29=2353
  xian19803degreegkzone30=2354 xian19803degreegkzone31=2355 xian19803degreegkzone32=2356 xian19803degreegkzone33=2357
  xian19803degreegkzone34=2358 xian19803degreegkzone35=2359 xian19803degreegkzone36=2360 xian19803degreegkzone37=2361
  xian19803degreegkzone38=2362 xian19803degreegkzone39=2363 xian19803degreegkzone40=2364 xian19803degreegkzone41=2365
  xian19803degreegkzone42=2366 xian19803degreegkzone43=2367 xian19803degreegkzone44=2368 xian19803degreegkzone45=2369
  xian1980gausskrugercm105e=2343 xian1980gausskrugercm111e=2344 xian1980gausskrugercm117e=2345
  xian1980gausskrugercm123e=2346 xian1980gausskrugercm129e=2347 xian1980gausskrugercm135e=2348
  xian1980gausskrugercm75e=2338 xian1980gausskrugercm81e=2339 xian1980gausskrugercm87e=2340
  xian1980gausskrugercm93e=2341 xian1980gausskrugercm99e=2342 xian1980gausskrugerzone13=2327
  xian1980gausskrugerzone14=2328 xian1980gausskrugerzone15=2329 xian1980gausskrugerzone16=2330
  xian1980gausskrugerzone17=2331 xian1980gausskrugerzone18=2332 xian1980gausskrugerzone19=2333
  xian1980gausskrugerzone20=2334 xian1980gausskrugerzone21=2335 xian1980gausskrugerzone22=2336
  xian1980gausskrugerzone23=2337 xian1980gkcm105e=2343 xian1980gkcm111e=2344 xian1980gkcm117e=2345
  xian1980gkcm123e=2346 xian1980gkcm129e=2347 xian1980gkcm135e=2348 xian1980gkcm75e=2338 xian1980gkcm81e=2339
  xian1980gkcm87e=2340 xian1980gkcm93e=2341 xian1980gkcm99e=2342 xian1980gkzone13=2327 xian1980gkzone14=2328
  xian1980gkzone15=2329 xian1980gkzone16=2330 xian1980gkzone17=2331 xian1980gkzone18=2332 xian1980gkzone19=2333
  xian1980gkzone20=2334 xian1980gkzone21=2335 xian1980gkzone22=2336 xian1980gkzone23=2337 yacare=4309
  yemenngn19963d=4163 yemenngn1996utmzone37n=5836 yemenngn1996utmzone38n=2089 yemenngn1996utmzone39n=2090
  yemenngn1996utmzone40n=5837 yemenngn96=4163 yemenngn963d=4163 yemenngn96utmzone37n=5836 yemenngn96utmzone38n=2089
  yemenngn96utmzone39n=2090 yemenngn96utmzone40n=5837 yoff=4310 yoff1972utmzone28n=31028 yoffutmzone28n=31028
  zanderij=4311 zanderij1972utmzone21n=31121 zanderijsurinameoldtm=31170 zanderijsurinametm=31171 zanderijtm54nw=31154
  zanderijutmzone21n=31121
`;
