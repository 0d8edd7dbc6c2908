import os, sys, json
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from urllib.parse import quote
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsFeature, QgsFeatureRequest, QgsGeometry, QgsMapRendererSequentialJob, QgsMapSettings, QgsPointXY, QgsRaster, QgsRasterLayer, QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import QSize
QgsApplication.setPrefixPath("/usr", True)
app = QgsApplication([], False)
app.initQgis()
address, collection, user, password = sys.argv[1:5]
view = QgsRectangle(-1, -1, 7, 7)

def edit(version):
    layer = QgsVectorLayer(f"pagingEnabled='true' restrictToRequestBBOX='0' srsname='EPSG:4326' typename='p:{collection}' url='{address}' version='{version}' username='{user}' password='{password}'", "features", "WFS")
    if not layer.isValid():
        return {"error": layer.error().message()}
    out = {"before": sorted(f["name"] for f in layer.getFeatures())}
    rectangle = QgsFeatureRequest().setFilterRect(QgsRectangle(0.5, 0, 7, 0.5))
    out["filtered"] = [sorted(f["name"] for f in layer.getFeatures(each)) for each in (rectangle, QgsFeatureRequest().setFilterExpression("\"size\" >= 1 and \"name\" like 's%'"))]
    drawn = lambda: next(f for f in layer.getFeatures() if f["name"] == version)
    def step(name, run):
        layer.startEditing()
        run()
        out[name] = [layer.commitChanges(), layer.commitErrors()]
        if not out[name][0]:
            layer.rollBack()
        layer.dataProvider().reloadData()
    def add():
        f = QgsFeature(layer.fields())
        f.setAttribute("name", version)
        f.setAttribute("size", 3)
        f.setAttribute("noted", "2026-01-01T00:00:00Z")
        f.setGeometry(QgsGeometry.fromWkt("MultiPolygon(((1 2, 2 2, 2 4, 1 2)))"))
        layer.addFeature(f)
    step("add", add)
    key = drawn().id()
    step("move", lambda: layer.changeGeometry(key, QgsGeometry.fromWkt("MultiPolygon(((3 4, 4 4, 4 6, 3 4)))")))
    step("change", lambda: layer.changeAttributeValue(drawn().id(), layer.fields().indexOf("size"), 8))
    step("refused", lambda: layer.changeAttributeValue(drawn().id(), layer.fields().indexOf("size"), 5000))
    return out

def draw(parameters, path):
    layer = QgsRasterLayer(f"{parameters}&dpiMode=7&format=image/png&layers={collection}&url={quote(address + path, safe=':/')}&username={user}&password={password}", "map", "wms")
    if not layer.isValid():
        return {"error": layer.error().message()}
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setOutputSize(QSize(200, 200))
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    settings.setExtent(view)
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    at = lambda x, y: image.pixelColor(int((x + 1) * 25), int((7 - y) * 25)).name()
    told = layer.dataProvider().identify(QgsPointXY(0.7, 0.3), QgsRaster.IdentifyFormatText, view, 200, 200).results()
    return {"inside": at(0.7, 0.3), "outside": at(0.3, 0.7), "far": at(5.7, 5.3), "told": list(told.values())}

out = {
    "2.0.0": edit("2.0.0"),
    "1.1.0": edit("1.1.0"),
    "wms": draw("crs=EPSG:4326&styles=", "?version=1.3.0"),
    "wms 3857": draw("crs=EPSG:3857&styles=", ""),
    "wmts": draw("crs=EPSG:3857&styles=default&tileMatrixSet=WebMercatorQuad", "?SERVICE=WMTS&REQUEST=GetCapabilities"),
}
print("RESULT " + json.dumps(out, default=str), flush=True)
os._exit(0)  # QGIS may crash when it ends without a window
