"""Reads each layer as QGIS takes it by default, and draws a point in it. Usage: axes.py ROOT USER PASSWORD COLLECTION LONGITUDE LATITUDE …"""
import os, sys, json
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import QgsApplication, QgsVectorLayer, QgsFeature, QgsGeometry, QgsPointXY, QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject
QgsApplication.setPrefixPath("/usr", True)
app = QgsApplication([], False)
app.initQgis()
root, user, password, *places = sys.argv[1:]
WGS84 = QgsCoordinateReferenceSystem("EPSG:4326")
out = {}
for collection, longitude, latitude in zip(places[0::3], places[1::3], places[2::3]):
    uri = f"typename='{collection}' url='{root}' version='OGC_API_FEATURES' username='{user}' password='{password}' pagingEnabled='true'"
    layer = QgsVectorLayer(uri, collection, "OAPIF")
    if not layer.isValid():
        out[collection] = {"error": layer.error().message()}
        continue
    outward = QgsCoordinateTransform(layer.crs(), WGS84, QgsProject.instance())
    seen = [outward.transform(f.geometry().asPoint()) for f in layer.getFeatures()]
    drawn = QgsFeature(layer.fields())
    drawn.setAttribute("name", "drawn")
    inward = QgsCoordinateTransform(WGS84, layer.crs(), QgsProject.instance())
    drawn.setGeometry(QgsGeometry.fromPointXY(inward.transform(QgsPointXY(float(longitude), float(latitude)))))
    layer.startEditing()
    layer.addFeature(drawn)
    saved = layer.commitChanges()
    out[collection] = {"crs": layer.crs().authid(), "seen": [[p.x(), p.y()] for p in seen], "saved": saved, "errors": layer.commitErrors()}
print("RESULT " + json.dumps(out), flush=True)
os._exit(0)  # QGIS may crash when it ends without a window
